import { NOCHECK, UNLINTED } from "../render/typescript/code.js";
import { runtimeSources } from "../targets/runtimes.js";
import type { Emit } from "../render/typescript/signature.js";
import type { ImportOptions } from "../targets/target.js";
import type { OutputFile } from "../render/output-file.js";

/** Returns the files of a runtime to copy into the output. */
export async function runtimeFiles(
  runtime: string,
  folder: string,
  { importSuffix, tsNocheck }: ImportOptions,
  emit: Emit,
): Promise<OutputFile[]> {
  const sources = await runtimeSources(runtime, emit);
  const isJavaScript = emit === "js";
  const suffix = isJavaScript ? ".js" : importSuffix;
  const isUnchecked = tsNocheck !== undefined && !isJavaScript;
  const head = isUnchecked ? `${UNLINTED}\n${NOCHECK}` : UNLINTED;
  return Object.entries(sources).map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: `${head}\n\n${withSuffix(text, suffix)}`,
  }));
}

/** Replaces the suffix `.js` in relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}

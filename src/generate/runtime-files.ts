import { UNLINTED } from "../render/typescript/code.js";
import { runtimeSources } from "../targets/runtimes.js";
import type { Emit } from "../render/typescript/signature.js";
import type { OutputFile } from "../render/output-file.js";

/** Returns the files of a runtime to copy into the output. */
export async function runtimeFiles(
  runtime: string,
  folder: string,
  suffix: string,
  emit: Emit = "ts",
): Promise<OutputFile[]> {
  const sources = await runtimeSources(runtime, emit);
  return Object.entries(sources).map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: `${UNLINTED}\n\n${withSuffix(text, emit === "js" ? ".js" : suffix)}`,
  }));
}

/** Replaces the suffix `.js` in relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}

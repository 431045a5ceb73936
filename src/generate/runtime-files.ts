import { UNLINTED } from "../render/typescript/code.js";
import { runtimeSources } from "../targets/runtimes.js";
import type { OutputFile } from "../render/output-file.js";

/** Files of a runtime as they are copied into output. */
export async function runtimeFiles(
  runtime: string,
  folder: string,
  suffix: string,
): Promise<OutputFile[]> {
  const sources = await runtimeSources(runtime);
  return Object.entries(sources).map(([name, text]) => ({
    path: `${folder}/${name}`,
    text: `${UNLINTED}\n\n${withSuffix(text, suffix)}`,
  }));
}

/** Rewrites the `.js` of relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}

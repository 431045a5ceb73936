import { directives } from "../targets/shared/banner.js";
import { runtimeSources } from "../targets/runtimes.js";
import type { Emit } from "../targets/shared/target-options.js";
import type { ImportOptions } from "../targets/target.js";
import type { OutputFile } from "../platform/output-file.js";

/** Modules of a runtime, in one language. */
interface RuntimeModules {
  readonly runtime: string;
  /** Paths of the modules without suffix, or `all`. */
  readonly modules: readonly string[] | "all";
  readonly emit: Emit;
}

/** Returns the TypeScript files of a runtime to copy into the output. */
export async function runtimeFiles(
  { runtime, modules, emit }: RuntimeModules,
  options: ImportOptions,
): Promise<OutputFile[]> {
  const sources = await runtimeSources(runtime);
  const suffix = emit === "js" ? ".js" : options.importSuffix;
  const head = directives({ ...options, emit }, "runtime");
  return Object.entries(sources)
    .filter(
      ([name]) =>
        modules === "all" || modules.includes(name.replace(/\.ts$/, "")),
    )
    .map(([name, text]) => ({
      path: `runtime/${runtime}/${name}`,
      text: `${head}\n\n${withSuffix(text, suffix)}`,
    }));
}

/** Replaces the suffix `.js` in relative imports. */
function withSuffix(text: string, suffix: string): string {
  return suffix === ".js"
    ? text
    : text.replace(/(from "\.{1,2}\/[^"]*)\.js"/g, `$1${suffix}"`);
}

import type { Sink } from "../diagnostics/sink.js";
import type { OutputFile } from "../platform/output-file.js";
import {
  emitsIn,
  type NeededRuntimes,
  runtimesOf,
  targetsIn,
  targetsOf,
} from "../targets/index.js";
import { runtimeSources } from "../targets/runtimes.js";
import { directives } from "../targets/shared/banner.js";
import type { Emit } from "../targets/shared/target-options.js";
import type { ImportOptions } from "../targets/target.js";
import { isRuntime } from "../write/manifest.js";
import type { OutputSession } from "../write/output-session.js";
import { finishFiles, type GenerateContext } from "./generate-api.js";

/** Folder of the modules for credentials. No generated module imports them. */
const AUTH = "runtime/auth";

/** Settings that determine which runtimes the output contains. */
export interface RuntimeOptions extends Pick<
  GenerateContext,
  "imports" | "formatter" | "javaScript"
> {
  /** Names of the requested targets. */
  readonly targets: readonly string[];
  /** True to delete runtimes that the output does not import. */
  readonly prune: boolean;
  /** True if the output contains the modules for credentials. */
  readonly auth?: boolean | undefined;
}

/**
 * Returns the runtimes that the APIs of the session import from the output, and
 * the modules for credentials if they are requested or, without `prune`, exist.
 * The result is empty if the session contains no API yet.
 */
export function neededRuntimes(
  { groups, before }: OutputSession,
  { auth, imports, prune, targets }: RuntimeOptions,
): NeededRuntimes {
  if (groups.size === 0 || imports.runtimeModule !== undefined)
    return new Map();
  const apis = [...groups].filter(([folder]) => !isRuntime(folder));
  const existing = apis.flatMap(([, { files }]) => targetsIn(files));
  const needed = runtimesOf(targetsOf([...targets, ...existing]));
  return auth || (!prune && Object.hasOwn(before, AUTH))
    ? new Map([...needed, ["auth", "all"]])
    : needed;
}

/**
 * Plans copies of runtimes in TypeScript, JavaScript or both, depending on the
 * languages of the APIs that the output folder contains after the run.
 * @param names runtimes that the APIs of this run need
 */
export async function planRuntimes(
  session: OutputSession,
  names: readonly string[],
  options: RuntimeOptions,
  sink: Sink,
): Promise<void> {
  const needed = neededRuntimes(session, options);
  for (const runtime of names) {
    const files = await Promise.all(
      emitsOf(session, options).map(async (emit) =>
        finishFiles(
          await runtimeFiles(
            runtime,
            needed.get(runtime)!,
            emit,
            options.imports,
          ),
          emit,
          options,
        ),
      ),
    );
    session.planRuntime(`runtime/${runtime}`, files.flat(), sink);
  }
}

/** Plans the deletion of runtimes that the output no longer imports. */
export function dropUnusedRuntimes(
  session: OutputSession,
  options: RuntimeOptions,
  sink: Sink,
): void {
  const isImported = options.imports.runtimeModule !== undefined;
  if (isImported ? !session.isComplete : !options.prune) return;
  const needed = neededRuntimes(session, options);
  for (const folder of Object.keys(session.before).filter(isRuntime))
    if (!needed.has(folder.slice("runtime/".length)))
      session.dropRuntime(folder, sink);
}

/**
 * Returns the languages of the APIs in the output folder. After several runs,
 * the folder can contain both TypeScript and JavaScript.
 */
function emitsOf(
  { groups }: OutputSession,
  { imports: { emit = "ts" } }: RuntimeOptions,
): readonly Emit[] {
  const found = [...groups].flatMap(([folder, { files }]) =>
    isRuntime(folder) ? [] : emitsIn(files),
  );
  return found.length === 0 ? [emit] : [...new Set(found)].sort();
}

/**
 * Returns the TypeScript files of a runtime to copy into the output.
 * @param modules paths of the modules without suffix, or `all`
 */
async function runtimeFiles(
  runtime: string,
  modules: readonly string[] | "all",
  emit: Emit,
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

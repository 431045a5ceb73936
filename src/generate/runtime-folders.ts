import type { Sink } from "../diagnostics/sink.js";
import {
  emitsIn,
  runtimesOf,
  targetsIn,
  targetsOf,
  type NeededRuntimes,
} from "../targets/index.js";
import { isRuntime } from "../write/manifest.js";
import type { OutputSession } from "../write/output-session.js";
import { finishFiles, type GenerateContext } from "./generate-api.js";
import type { Emit } from "../targets/shared/target-options.js";
import { runtimeFiles } from "./runtime-files.js";

/** Settings that determine which runtimes the output contains. */
export interface RuntimeOptions extends Pick<
  GenerateContext,
  "imports" | "formatter" | "javaScript"
> {
  /** Names of the requested targets. */
  readonly targets: readonly string[];
  /** True to delete runtimes that the output does not import. */
  readonly prune: boolean;
}

/** Returns the runtimes that the APIs of this run import from the output. */
export function runtimesOfRun(
  session: OutputSession,
  options: RuntimeOptions,
): NeededRuntimes {
  const isImported = options.imports.runtimeModule !== undefined;
  return session.groups.size === 0 || isImported
    ? new Map()
    : neededRuntimes(session, options);
}

/**
 * Plans copies of runtimes in TypeScript, JavaScript or both, depending on the
 * languages of the APIs that the output folder contains after the run.
 */
export async function planRuntimes(
  session: OutputSession,
  runtimes: NeededRuntimes,
  options: RuntimeOptions,
  sink: Sink,
): Promise<void> {
  for (const [runtime, modules] of runtimes) {
    const folder = `runtime/${runtime}`;
    const files = await Promise.all(
      emitsOf(session, options).map(async (emit) =>
        finishFiles(
          await runtimeFiles({ runtime, modules, emit }, options.imports),
          emit,
          options,
        ),
      ),
    );
    session.planRuntime(folder, files.flat(), sink);
  }
}

/** Plans the deletion of runtimes that the output no longer imports. */
export function dropUnusedRuntimes(
  session: OutputSession,
  options: RuntimeOptions,
  sink: Sink,
): void {
  const isImported = options.imports.runtimeModule !== undefined;
  if (!options.prune && !isImported) return;
  if (isImported && !session.isComplete) return;
  const needed = isImported
    ? new Map<string, unknown>()
    : neededRuntimes(session, options);
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

function neededRuntimes(
  { groups }: OutputSession,
  { targets }: RuntimeOptions,
): NeededRuntimes {
  const apis = [...groups].filter(([folder]) => !isRuntime(folder));
  const existing = apis.flatMap(([, { files }]) => targetsIn(files));
  return runtimesOf(targetsOf([...targets, ...existing]));
}

import { Sink } from "../../diagnostics/sink.js";
import { Engine } from "../../render/engine.js";
import { targetsOf } from "../../targets/index.js";
import { printTargets } from "../../targets/print-targets.js";
import { runtimeSources } from "../../targets/runtimes.js";
import { loadTargets } from "../../targets/target.js";
import type { Side } from "../side.js";

/** Targets whose output code can import. */
const TARGETS = ["client", "server", "validator"];

/** Prints generated code in memory. */
export interface Printer {
  /** Returns the files of an API, keyed by path relative to its output folder. */
  filesOf(side: Side): ReadonlyMap<string, string>;
  /** Files of the runtimes, keyed by path relative to the folder `runtime`. */
  readonly runtime: ReadonlyMap<string, string>;
}

/** Loads the targets and runtimes of generated code. */
export async function loadPrinter(): Promise<Printer> {
  const targets = targetsOf(TARGETS);
  await loadTargets(targets);
  const runtime = new Map<string, string>();
  for (const name of TARGETS)
    for (const [file, text] of Object.entries(await runtimeSources(name)))
      runtime.set(`${name}/${file}`, text);
  const engine = new Engine();
  return {
    runtime,
    filesOf: ({ api, trustProse }) => {
      const options = { importSuffix: ".js", trustProse, targets: TARGETS };
      const files = printTargets(
        api,
        targets,
        { ...options, importSuffix: ".js" },
        engine,
        new Sink(),
      );
      return new Map(files.map(({ path, text }) => [path, text]));
    },
  };
}

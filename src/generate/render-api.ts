import { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import { Engine } from "../render/engine.js";
import { printTargets } from "../targets/print-targets.js";
import type { Target } from "../targets/target.js";

/**
 * Renders the code of an API that runs, without types and objects for users, with
 * the built-in templates. Used by programs that execute the code immediately.
 *
 * @returns function that returns the text of an output file by name
 * @throws Error if no target generates a file of this name
 */
export function renderApi(
  api: Api,
  targets: readonly Target[],
): (name: string) => string {
  const options = {
    importSuffix: ".js",
    trustProse: false,
    functionsOnly: true,
    routesOnly: true,
  } as const;
  const files = printTargets(api, targets, options, new Engine(), new Sink());
  return (name) => {
    const file = files.find(({ path }) => path.endsWith(`/${name}`));
    if (file === undefined)
      throw new Error(`no target generates the file ${name}`);
    return file.text;
  };
}

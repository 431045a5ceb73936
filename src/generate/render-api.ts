import { Sink } from "../diagnostics/sink.js";
import type { Api } from "../model/ir.js";
import { Engine } from "../render/engine.js";
import { printTargets } from "../targets/print-targets.js";
import type { Target } from "../targets/target.js";

/**
 * Renders an API for programs that run the output at once, with the templates
 * of this package and default options.
 * @returns the text of an output file by its name
 * @throws if no target generates a file of that name
 */
export function renderApi(
  api: Api,
  targets: readonly Target[],
): (name: string) => string {
  const options = { importSuffix: ".js", trustProse: false } as const;
  const files = printTargets(api, targets, options, new Engine(), new Sink());
  return (name) => {
    const file = files.find(({ path }) => path.endsWith(`/${name}`));
    if (file === undefined) throw new Error(`no target generates ${name}`);
    return file.text;
  };
}

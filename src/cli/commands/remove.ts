import { removeApis, type RemovedApi } from "../../config/remove-apis.js";
import { visible } from "../../diagnostics/invisible.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { configOption } from "../../generate/options.js";
import { requireConfig, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import {
  formatOption,
  reportFindings,
  type Format,
} from "../reporters/findings.js";

interface Values {
  readonly names: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly format: Format;
}

const HELP = `
Comments of the config are preserved. Patches, and documents that were not fetched, are
not deleted.

Exit codes:
  0  the APIs were removed
  2  invalid usage or config, an unknown name, or a file that can't be written
  3  another API of the config can't be generated; the APIs were removed`;

/** Command `gen remove`: removes APIs from the config. */
export const remove: Command = {
  operands: {
    name: "names",
    description: "names of APIs to remove, as in the config",
    isMany: true,
  },
  options: [configOption, formatOption],
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { names, config, noConfig, format }: Values,
  { cwd, output }: Context,
): Promise<number> {
  requireConfig(noConfig, "gen remove");
  const result = await removeApis(names, { cwd, config });
  if (format === "json") output.out(`${visibleJson(result)}\n`);
  else {
    reportFindings(result.diagnostics, format, output);
    const lines = result.removed.flatMap(linesOf);
    if (result.config !== undefined) lines.push(`changed ${result.config}`);
    output.out(lines.map((line) => `${visible(line)}\n`).join(""));
  }
  return exitCodeOf(result.diagnostics) ?? 0;
}

function linesOf({ id, document, output, patches }: RemovedApi): string[] {
  const deleted = [...(document === undefined ? [] : [document]), ...output];
  const list = deleted.length === 0 ? "" : `; deleted ${deleted.join(", ")}`;
  return [
    `${id}: removed${list}`,
    ...patches.map((file) => `${file} is no longer used`),
  ];
}

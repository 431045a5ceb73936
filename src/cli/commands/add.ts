import { addApis, type AddResult } from "../../config/add-apis.js";
import { configOption, remoteOptions } from "../../generate/options.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import { requireConfig, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { remoteOptionsOf, type RemoteValues } from "../remote-options.js";
import {
  formatOption,
  reportFindings,
  type Format,
} from "../reporters/findings.js";

interface Values extends RemoteValues {
  readonly source: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

const EXIT_CODES = `
Exit codes:
  0  the APIs are in the config
  2  invalid usage, an unknown name, or a file that can't be written
  3  a server failed, or a document can't be used; the other APIs were added`;

/** Command `gen add`: adds APIs to the config. */
export const add: Command = {
  operands: {
    name: "source",
    description: "APIs to add: name:version, URL or file",
    isMany: true,
  },
  options: [
    ...remoteOptions,
    configOption,
    {
      name: "force",
      kind: "switch",
      description:
        "accept a revision that is older than the locked revision, and a document that lost more than half of its methods or schemas",
    },
    formatOption,
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { source, config, noConfig, force, format, ...remote }: Values,
  { cwd, output }: Context,
): Promise<number> {
  requireConfig(noConfig, "gen add");
  const result = await addApis(source, {
    ...remoteOptionsOf(remote),
    cwd,
    config,
    isForced: force,
  });
  if (format === "json") output.out(`${visibleJson(result)}\n`);
  else {
    reportFindings(result.diagnostics, format, output);
    output.out(summary(result));
  }
  return exitCodeOf(result.diagnostics) ?? 0;
}

function summary({ added, config, snippet }: AddResult): string {
  const lines = added.map(({ id, file, update }) => {
    const revision = update?.latest;
    return `${visible(id)}: ${visible(file)}${revision === undefined ? "" : ` (revision ${revision})`}`;
  });
  const note =
    config === undefined
      ? []
      : snippet === undefined
        ? [`changed ${visible(config)}`]
        : [`add this text to the section apis of ${visible(config)}:`, snippet];
  return [...lines, ...note].map((line) => `${line}\n`).join("");
}

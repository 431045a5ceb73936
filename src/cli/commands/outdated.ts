import { updateApis } from "../../config/update-apis.js";
import type { Update, UpdateStatus } from "../../remote/update-documents.js";
import { configOption, remoteOptions } from "../../generate/options.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import { requireConfig, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { progressOf } from "../progress.js";
import { remoteOptionsOf, type RemoteValues } from "../remote-options.js";
import {
  formatOption,
  reportFindings,
  type Format,
} from "../reporters/findings.js";

interface Values extends RemoteValues {
  readonly names?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly exitCode?: boolean;
  readonly format: Format;
}

const TEXTS: Readonly<Record<UpdateStatus, string>> = {
  new: "not locked",
  outdated: "outdated",
  older: "newer than the server's revision",
  shrunk: "lost more than half of its methods or schemas",
  current: "up to date",
  gone: "no longer published",
};

const EXIT_CODES = `
Exit codes:
  0  the documents were compared
  1  --exit-code: a document is outdated
  2  invalid usage or config
  3  a server failed, or a document can't be used`;

/**
 * Command `gen outdated`: compares locked documents with the latest published
 * documents.
 */
export const outdated: Command = {
  operands: {
    name: "names",
    description: "names of APIs to compare, as in the config (default: all)",
    isMany: true,
    isOptional: true,
  },
  options: [
    ...remoteOptions,
    configOption,
    {
      name: "exitCode",
      kind: "switch",
      description: "exit with 1 if a document is outdated or not locked",
    },
    formatOption,
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { names = [], config, noConfig, exitCode, format, ...remote }: Values,
  { cwd, output }: Context,
): Promise<number> {
  requireConfig(noConfig, "gen outdated");
  const { updates, diagnostics } = await updateApis({
    ...remoteOptionsOf(remote),
    cwd,
    config,
    apis: names,
    isDryRun: true,
    onProgress: progressOf({ format, progress: "auto" }, output)?.onDocument,
  });
  if (format === "json")
    output.out(`${visibleJson({ apis: updates, diagnostics })}\n`);
  else {
    reportFindings(diagnostics, format, output);
    output.out(tableOf(updates));
  }
  const isOutdated = updates.some(
    ({ status }) =>
      status === "outdated" || status === "new" || status === "shrunk",
  );
  return exitCodeOf(diagnostics) ?? (exitCode === true && isOutdated ? 1 : 0);
}

function tableOf(updates: readonly Update[]): string {
  if (updates.length === 0) return "";
  const rows = [
    ["API", "locked", "latest", "status"],
    ...updates.map(({ id, locked = "-", latest = "-", status }) => [
      visible(id),
      locked,
      latest,
      TEXTS[status],
    ]),
  ];
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)))
    .map((row) => `${row.join("  ").trimEnd()}\n`)
    .join("");
}

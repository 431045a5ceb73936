import { mergeFindings } from "../../diagnostics/equal-messages.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { updateApis } from "../../config/update-apis.js";
import type { Update, UpdateStatus } from "../../remote/update-documents.js";
import type { RemoteOptions } from "../../remote/remote-options.js";
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
import type { ApiUpdate } from "../update/api-update.js";
import { REPORTED_AUDIENCES } from "../update/breaking-text.js";
import type { UpdateProjectOptions } from "../update/update-project.js";

interface Values extends RemoteValues {
  readonly names?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly exitCode?: boolean;
  readonly all?: boolean;
  readonly impact?: boolean;
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
    {
      name: "all",
      kind: "switch",
      description: "also list documents that are up to date",
    },
    {
      name: "impact",
      kind: "switch",
      description: "count the breaking changes and warnings of an update",
    },
    formatOption,
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { names = [], exitCode, all, impact, ...values }: Values,
  { cwd, output }: Context,
): Promise<number> {
  const { config, noConfig, format, ...remote } = values;
  requireConfig(noConfig, "gen outdated");
  const { updates, diagnostics } = await updateApis({
    ...remoteOptionsOf(remote),
    cwd,
    config,
    apis: names,
    isDryRun: true,
    onProgress: progressOf({ format, progress: "auto" }, output)?.onDocument,
  });
  const counts =
    impact === true
      ? await impactOf(updates, { ...remoteOptionsOf(remote), cwd, config })
      : undefined;
  const apis = updates.map((update) => ({
    ...update,
    ...counts?.get(update.id),
  }));
  if (format === "json") output.out(`${visibleJson({ apis, diagnostics })}\n`);
  else {
    reportFindings(mergeFindings(diagnostics), format, output);
    output.out(tableOf(updates, { showsAll: all === true, impact: counts }));
  }
  const isOutdated = updates.some(
    ({ status }) =>
      status === "outdated" || status === "new" || status === "shrunk",
  );
  return exitCodeOf(diagnostics) ?? (exitCode === true && isOutdated ? 1 : 0);
}

/** Counts of changes that an update would make. */
type Impact = Pick<ApiUpdate, "breaking" | "warnings">;

/** Compares outdated documents with the latest ones, without writing files. */
async function impactOf(
  updates: readonly Update[],
  options: RemoteOptions & Pick<UpdateProjectOptions, "cwd" | "config">,
): Promise<ReadonlyMap<string, Impact>> {
  const outdated = updates.filter(({ status }) => status === "outdated");
  if (outdated.length === 0) return new Map();
  const { updateProject } = await import("../update/update-project.js");
  const names = outdated.map(({ id }) => id);
  const result = await updateProject({
    ...options,
    apis: names,
    isCheck: true,
  });
  return new Map(
    result.apis
      .filter(({ status }) => status === "updated")
      .map(({ api, breaking, warnings }) => [api, { breaking, warnings }]),
  );
}

function tableOf(
  updates: readonly Update[],
  {
    showsAll,
    impact,
  }: {
    readonly showsAll: boolean;
    readonly impact: ReadonlyMap<string, Impact> | undefined;
  },
): string {
  const shown = updates.filter(
    ({ status }) => showsAll || status !== "current",
  );
  if (shown.length === 0)
    return updates.length === 0
      ? ""
      : `${formatCount(updates.length, "document")} up to date\n`;
  const rows = [
    [
      "API",
      "locked",
      "latest",
      "status",
      ...(impact === undefined ? [] : ["breaking", "warnings"]),
    ],
    ...shown.map(({ id, locked = "-", latest = "-", status }) => [
      visible(id),
      locked,
      latest,
      TEXTS[status],
      ...(impact === undefined ? [] : impactCells(impact.get(id))),
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

function impactCells(impact: Impact | undefined): string[] {
  if (impact === undefined) return ["-", "-"];
  const { breaking, warnings } = impact;
  const counts = REPORTED_AUDIENCES.filter((name) => breaking[name] > 0).map(
    (name) => `${breaking[name]} ${name}`,
  );
  return [counts.length === 0 ? "0" : counts.join(", "), String(warnings)];
}

import type { Diagnostic, Severity } from "../diagnostics/types.js";
import type { PipelineResult } from "../pipeline.js";
import type { Action } from "../write/plan.js";
import type { OptionValues } from "./options.js";

/** Where a report goes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly color: boolean;
}

const RANK: Readonly<Record<Severity, number>> = {
  error: 0,
  warning: 1,
  info: 2,
};
const COLORS: Readonly<Record<Severity, string>> = {
  error: "31",
  warning: "33",
  info: "36",
};

/** Infos of one code shown before the rest is counted. */
const SHOWN_ACTIONS: readonly Action[] = [
  "create",
  "update",
  "delete",
  "foreign",
  "edited",
];

/** Diagnostics of the severities that the options ask for. */
function shown(
  diagnostics: readonly Diagnostic[],
  values: OptionValues,
): Diagnostic[] {
  const limit = values.quiet === true ? 0 : values.verbose === true ? 2 : 1;
  return diagnostics.filter(({ severity }) => RANK[severity] <= limit);
}

/** `file:line:column` as editors and terminals link it. */
export function placeOf({ file, line, column }: Diagnostic): string {
  if (file === undefined) return "gen";
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

/** Prints what a run found and did. */
export function report(
  result: PipelineResult,
  values: OptionValues,
  output: Output,
): void {
  if (values.format === "json") return reportJson(result, values, output);
  for (const found of shown(result.diagnostics, values)) {
    output.err(
      values.format === "github"
        ? annotation(found)
        : paragraph(found, output.color),
    );
  }
  if (values.quiet !== true) output.out(summary(result, values));
}

function reportJson(
  { plans, diagnostics, total, failed }: PipelineResult,
  values: OptionValues,
  output: Output,
): void {
  const files = plans.flatMap((plan) =>
    plan.files.map(({ path, action }) => ({ path, action })),
  );
  const changed =
    values.verbose === true
      ? files
      : files.filter(({ action }) => action !== "same");
  output.out(
    `${JSON.stringify({ documents: total, failed, files: changed, diagnostics: shown(diagnostics, values) }, undefined, 2)}\n`,
  );
}

function paragraph(found: Diagnostic, color: boolean): string {
  const label = color
    ? `\u001b[${COLORS[found.severity]}m${found.severity}\u001b[0m`
    : found.severity;
  const pointer =
    found.pointer === undefined || found.pointer === ""
      ? ""
      : ` (at ${found.pointer})`;
  const lines = [
    `${placeOf(found)}: ${label} ${found.code}: ${visible(found.message)}${visible(pointer)}`,
  ];
  if (found.severity === "error") {
    if (found.cause !== undefined) lines.push(`    cause: ${found.cause}`);
    if (found.fix !== undefined) lines.push(`    fix:   ${found.fix}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Text of a document must not steer the terminal. */
function visible(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => JSON.stringify(character).slice(1, -1),
  );
}

/** A workflow command of GitHub Actions. */
function annotation(found: Diagnostic): string {
  const kind = found.severity === "info" ? "notice" : found.severity;
  const escape = (text: string): string =>
    text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
  const property = (text: string): string =>
    escape(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
  const place = [
    ...(found.file === undefined ? [] : [`file=${property(found.file)}`]),
    ...(found.line === undefined
      ? []
      : [`line=${found.line}`, `col=${found.column ?? 1}`]),
    `title=${property(found.code)}`,
  ];
  return `::${kind} ${place.join(",")}::${escape(`${found.message}. ${found.fix ?? ""}`)}\n`;
}

function summary(
  { plans, diagnostics, total, failed }: PipelineResult,
  values: OptionValues,
): string {
  const counts = new Map<Action, number>();
  const lines: string[] = [];
  for (const { path, action } of plans.flatMap((plan) => plan.files)) {
    counts.set(action, (counts.get(action) ?? 0) + 1);
    const isListed =
      values.verbose === true ||
      ((values.dryRun === true || values.check === true) &&
        SHOWN_ACTIONS.includes(action));
    if (isListed) lines.push(`${action.padEnd(8)}${path}`);
  }
  const files =
    [...counts].map(([action, count]) => `${count} ${action}`).join(", ") ||
    "no files";
  const documents = `${total - failed} of ${total} document${total === 1 ? "" : "s"}`;
  const infos = diagnostics.filter(
    ({ severity }) => severity === "info",
  ).length;
  const hint =
    infos > 0 && values.verbose !== true
      ? `; ${infos} info${infos === 1 ? "" : "s"} (--verbose)`
      : "";
  return `${[...lines, `${documents}: ${files}${hint}`].join("\n")}\n`;
}

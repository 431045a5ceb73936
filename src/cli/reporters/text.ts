import type { Diagnostic, Severity } from "../../diagnostics/types.js";
import type { PipelineResult } from "../../pipeline.js";
import type { Action } from "../../write/plan.js";
import { visible } from "./output.js";

const COLORS: Readonly<Record<Severity, string>> = {
  error: "31",
  warning: "33",
  info: "36",
};

/** A finding for people: place, code and message; for errors the cause and the fix. */
export function paragraph(found: Diagnostic, color: boolean): string {
  const { severity, code, message, pointer, cause, fix } = found;
  const label = color
    ? `\u001b[${COLORS[severity]}m${severity}\u001b[0m`
    : severity;
  const at = pointer === undefined || pointer === "" ? "" : ` (at ${pointer})`;
  const lines = [
    `${visible(placeOf(found))}: ${label} ${code}: ${visible(message)}${visible(at)}`,
  ];
  if (severity === "error") {
    if (cause !== undefined) lines.push(`    cause: ${cause}`);
    if (fix !== undefined) lines.push(`    fix:   ${fix}`);
  }
  return `${lines.join("\n")}\n`;
}

/** `file:line:column` as editors and terminals link it. */
function placeOf({ file, line, column }: Diagnostic): string {
  if (file === undefined) return "gen";
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

/** What the last lines of a run say. */
export interface SummaryOptions {
  /** Every file, not only those that change. */
  readonly isVerbose: boolean;
  /** Files that change. */
  readonly isListed: boolean;
}

/** Files as asked for, and how many documents and files there were. */
export function summary(
  { plans, diagnostics, total, failed }: PipelineResult,
  { isVerbose, isListed }: SummaryOptions,
): string {
  const counts = new Map<Action, number>();
  const lines: string[] = [];
  for (const { path, action } of plans.flatMap((plan) => plan.files)) {
    counts.set(action, (counts.get(action) ?? 0) + 1);
    if (isVerbose || (isListed && action !== "same"))
      lines.push(`${action.padEnd(8)}${visible(path)}`);
  }
  const files =
    [...counts].map(([action, count]) => `${count} ${action}`).join(", ") ||
    "no files";
  const documents = `${total - failed} of ${total} document${total === 1 ? "" : "s"}`;
  const infos = diagnostics.filter(({ severity }) => severity === "info");
  const hint =
    infos.length > 0 && !isVerbose
      ? `; ${infos.length} info${infos.length === 1 ? "" : "s"} (--verbose)`
      : "";
  return `${[...lines, `${documents}: ${files}${hint}`].join("\n")}\n`;
}

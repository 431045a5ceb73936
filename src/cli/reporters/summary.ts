import type { Action, PipelineResult } from "../../generate/pipeline.js";
import { visible } from "../../diagnostics/reporters/output.js";

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

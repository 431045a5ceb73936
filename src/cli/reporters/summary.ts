import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import type { Action } from "../../generate/pipeline.js";
import { visible } from "../../diagnostics/invisible.js";
import type { ReportedResult } from "./reported-result.js";

/** Contents of the summary of a run. */
export interface SummaryOptions {
  /** True to list every file, not only changed files. */
  readonly isVerbose: boolean;
  /**
   * True if the run only compares files; the summary then lists the files that
   * would change.
   */
  readonly isPreview: boolean;
}

/**
 * Labels of file counts, for runs that write files and for runs that only
 * compare files.
 */
const LABELS: Readonly<
  Record<Action, readonly [written: string, planned: string]>
> = {
  create: ["created", "to create"],
  update: ["updated", "to update"],
  same: ["unchanged", "unchanged"],
  delete: ["deleted", "to delete"],
  foreign: ["not overwritten", "not overwritten"],
  edited: ["kept because edited", "kept because edited"],
};

/** Formats the changed files and the counts of documents and files. */
export function summary(
  { plans, diagnostics, total, failed, jobs = 1 }: ReportedResult,
  { isVerbose, isPreview }: SummaryOptions,
): string {
  const counts = new Map<Action, number>();
  const lines: string[] = [];
  for (const { out = "", files } of plans)
    for (const { path: name, action } of files) {
      counts.set(action, (counts.get(action) ?? 0) + 1);
      if (isVerbose || (isPreview && action !== "same"))
        lines.push(`${action.padEnd(8)}${visible(path.posix.join(out, name))}`);
    }
  const documents = `${total - failed} of ${formatCount(total, "document")}${jobs > 1 ? ` in ${jobs} jobs` : ""}`;
  const infos = diagnostics.filter(({ severity }) => severity === "info");
  const hint =
    infos.length > 0 && !isVerbose
      ? `; ${formatCount(infos.length, "info")} (--verbose)`
      : "";
  const files = fileCounts(counts, isPreview);
  return `${[...lines, `${documents}: ${files}${hint}`].join("\n")}\n`;
}

/** Formats counts such as `76 files created, 2 unchanged`. */
function fileCounts(
  counts: ReadonlyMap<Action, number>,
  isPreview: boolean,
): string {
  if (counts.size === 0) return "no files";
  return [...counts]
    .map(([action, count], index) => {
      const noun = index > 0 ? "" : count === 1 ? " file" : " files";
      return `${count}${noun} ${LABELS[action][isPreview ? 1 : 0]}`;
    })
    .join(", ");
}

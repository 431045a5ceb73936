import { formatCount } from "../../diagnostics/format-count.js";
import {
  CHANGE_SECTIONS,
  MAX_CHANGES,
  summaryText,
  type ApiChanges,
} from "../api-changes.js";
import type { DocumentSummary } from "../document-summary.js";
import { code, inline, sections } from "./markdown.js";

/** Returns a Markdown page with the changes of an API, grouped by kind. */
export function changesMarkdown(
  { title }: DocumentSummary,
  { from, to, changes }: ApiChanges,
): string {
  const parts = CHANGE_SECTIONS.flatMap(([kind, heading]) => {
    const items = changes.filter((change) => change.kind === kind);
    const lines = items
      .slice(0, MAX_CHANGES)
      .map(
        ({ label, text, isBreaking }) =>
          `- ${isBreaking ? "**Breaking:** " : ""}${code(label)}: ${inline(text)}`,
      );
    const left = items.length - MAX_CHANGES;
    if (left > 0)
      lines.push(`- Not shown: ${formatCount(left, "more change")}.`);
    return lines.length === 0 ? [] : [`## ${heading}`, lines.join("\n")];
  });
  return sections([
    `# Changes to ${inline(title)}`,
    `From revision ${inline(from ?? "(none)")} to ${inline(to ?? "(none)")}: ${summaryText(changes)}.`,
    ...parts,
  ]);
}

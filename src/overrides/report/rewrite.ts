import { formatCount } from "../../diagnostics/format-count.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import type { Instruction, RewriteReport } from "../rewrite/rewrite-session.js";

/** Output formats for a rewrite report. */
export type RewriteFormat = "text" | "json" | "markdown";

/** Converts the report about a rewritten file to the given format. */
export function rewriteReport(
  report: RewriteReport,
  form: RewriteFormat,
): string {
  if (form === "json") return `${visibleJson(report)}\n`;
  return form === "markdown" ? markdown(report) : text(report);
}

function text(report: RewriteReport): string {
  const { file, refusals, changes, warnings, comments } = report;
  if (refusals.length > 0)
    return textBlock(
      `${file}: not rewritten`,
      refusals.map((why) => `  ${why}`),
    );
  const lines = changes.map(
    ({ line, action, message }) => `  line ${line}: ${action}: ${message}`,
  );
  const parts = [textBlock(headline(report), lines)];
  for (const [title, steps] of groupBySubject(report.instructions))
    parts.push(
      textBlock(
        `To do, ${title}:`,
        steps.map((step) => `  - ${step}`),
      ),
    );
  if (comments.length > 0)
    parts.push(
      textBlock(
        "Removed comments:",
        comments.map(({ line, text: content }) => `  line ${line}: ${content}`),
      ),
    );
  if (warnings.length > 0)
    parts.push(
      textBlock(
        "Warnings:",
        warnings.map((content) => `  - ${content}`),
      ),
    );
  return parts.join("");
}

function headline({ file, from, to, changes }: RewriteReport): string {
  if (changes.length === 0)
    return `${file}: no changes needed for version ${from}`;
  return `${file}: rewritten from ${from} to ${to}, ${formatCount(changes.length, "change")}`;
}

function textBlock(title: string, lines: readonly string[]): string {
  return `${[title, ...lines].map(visible).join("\n")}\n`;
}

function markdown(report: RewriteReport): string {
  const { changes, comments, warnings, refusals } = report;
  const parts = [`# ${escapeMarkdown(headline(report))}\n`];
  if (refusals.length > 0)
    parts.push(section("Not rewritten", refusals.map(escapeMarkdown)));
  for (const [title, steps] of groupBySubject(report.instructions))
    parts.push(
      section(
        `To do: ${title}`,
        steps.map((step) => `[ ] ${escapeMarkdown(step)}`),
      ),
    );
  if (warnings.length > 0)
    parts.push(section("Warnings", warnings.map(escapeMarkdown)));
  if (changes.length > 0)
    parts.push(
      section(
        "Changes",
        changes.map(
          ({ line, action, message }) =>
            `line ${line}: ${action}: ${escapeMarkdown(message)}`,
        ),
      ),
    );
  if (comments.length > 0)
    parts.push(
      section(
        "Removed comments",
        comments.map(
          ({ line, text: content }) =>
            `line ${line}: ${escapeMarkdown(content)}`,
        ),
      ),
    );
  return parts.join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

/** Escapes Markdown syntax in text that comes from the overrides file. */
function escapeMarkdown(content: string): string {
  return visible(content).replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function groupBySubject(
  instructions: readonly Instruction[],
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { subject, name, text: step } of instructions) {
    const title = name === undefined ? subject : `${subject} ${name}`;
    const steps = groups.get(title);
    if (steps === undefined) groups.set(title, [step]);
    else steps.push(step);
  }
  return groups;
}

import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { severityLabel } from "../../diagnostics/reporters/text.js";
import type { OverridesDiagnostic } from "../finding.js";
import type { CheckResult } from "../validate.js";

/**
 * Maximum length of an excerpt in characters. Longer lines are truncated around
 * the affected column.
 */
const WIDTH = 100;

/**
 * Formats a report for terminals: the detected version, then each finding with
 * its line. Carets mark the affected text.
 */
export function textReport(checked: CheckResult, color: boolean): string {
  const { file, detected, shownFindings, diagnostics, isReadable } = checked;
  const parts: string[] = [];
  if (isReadable)
    parts.push(
      visible(
        `${file}: detected version ${detected.version} (${detected.evidence})`,
      ),
    );
  for (const [index, found] of diagnostics.entries())
    parts.push(paragraph(checked, found, shownFindings[index]!.length, color));
  parts.push(summary(checked));
  return `${parts.join("\n")}\n`;
}

function paragraph(
  checked: CheckResult,
  found: OverridesDiagnostic,
  length: number,
  color: boolean,
): string {
  const { code, severity, line, column, message, suggestion } = found;
  const label = severityLabel(severity, color);
  const lines = [
    `${visible(`${checked.file}:${line}:${column}`)}: ${label} ${code}: ${visible(message)}`,
  ];
  // No line is shown for a finding about the entire file.
  const isPlaced = checked.isReadable && (line > 1 || length > 1);
  if (isPlaced) lines.push(...excerpt(checked, found, length));
  if (suggestion !== "") lines.push(`    ${visible(suggestion)}`);
  return lines.join("\n");
}

/** Formats a line with carets below the affected text. */
function excerpt(
  { maskLine }: CheckResult,
  { line, column }: OverridesDiagnostic,
  length: number,
): string[] {
  const shown = maskLine(line, column);
  const from = Math.max(0, shown.column - 1 - WIDTH / 2);
  const text = visible(
    shown.text.slice(from, from + WIDTH).replace(/\t/g, " "),
  );
  if (text.trim() === "") return [];
  const gutter = String(line);
  const space = Math.min(shown.column - 1 - from, text.length);
  const most = Math.max(1, text.length - space);
  const carets = "^".repeat(Math.min(Math.max(1, length), most));
  return [
    `  ${gutter} | ${text}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(space)}${carets}`,
  ];
}

function summary({ file, findings, isValid }: CheckResult): string {
  const counts = (["error", "warning", "info"] as const)
    .map((severity) => ({
      severity,
      count: findings.filter((found) => found.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => formatCount(count, severity));
  const verdict = isValid ? "valid" : "invalid";
  return `${visible(file)}: ${[verdict, ...counts].join(", ")}`;
}

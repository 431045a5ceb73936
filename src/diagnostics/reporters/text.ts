import type { Diagnostic, Severity } from "../types.js";
import { visible } from "../invisible.js";

const COLORS: Readonly<Record<Severity, string>> = {
  error: "31",
  warning: "33",
  info: "36",
};

/** Returns the label of a severity; colored if colors are enabled. */
export function severityLabel(severity: Severity, color: boolean): string {
  return color ? `\u001b[${COLORS[severity]}m${severity}\u001b[0m` : severity;
}

/**
 * Formats a finding as text: position, code and message; for errors, also cause
 * and fix.
 */
export function paragraph(finding: Diagnostic, color: boolean): string {
  const { severity, code, message, pointer, cause, fix } = finding;
  const label = severityLabel(severity, color);
  const at = pointer === undefined || pointer === "" ? "" : ` (at ${pointer})`;
  const lines = [
    `${visible(positionText(finding))}: ${label} ${code}: ${visible(message)}${visible(at)}`,
  ];
  if (severity === "error") {
    if (cause !== undefined) lines.push(`    cause: ${cause}`);
    if (fix !== undefined) lines.push(`    fix:   ${fix}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Returns `file:line:column`, which editors and terminals turn into links. */
function positionText({ file, line, column }: Diagnostic): string {
  if (file === undefined) return "gen";
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

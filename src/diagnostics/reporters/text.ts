import type { Diagnostic, Severity } from "../types.js";
import { visible } from "./output.js";

const COLORS: Readonly<Record<Severity, string>> = {
  error: "31",
  warning: "33",
  info: "36",
};

/** Returns a severity, in its color if colors are on. */
export function severityLabel(severity: Severity, color: boolean): string {
  return color ? `\u001b[${COLORS[severity]}m${severity}\u001b[0m` : severity;
}

/** A finding for people: place, code and message; for errors the cause and the fix. */
export function paragraph(found: Diagnostic, color: boolean): string {
  const { severity, code, message, pointer, cause, fix } = found;
  const label = severityLabel(severity, color);
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

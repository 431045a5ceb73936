import { bySeverity } from "../severity.js";
import type { Diagnostic } from "../types.js";
import { visible } from "../invisible.js";

/**
 * Formats findings as GitHub Actions workflow commands. Errors come first,
 * because GitHub shows at most ten annotations of each severity per step.
 */
export function annotations(findings: readonly Diagnostic[]): string {
  return bySeverity(findings).map(annotation).join("");
}

/**
 * Formats a finding as a GitHub Actions workflow command, which annotates the
 * file.
 */
export function annotation(finding: Diagnostic): string {
  const kind = finding.severity === "info" ? "notice" : finding.severity;
  const properties = [
    ...(finding.file === undefined ? [] : [`file=${property(finding.file)}`]),
    ...(finding.line === undefined
      ? []
      : [`line=${finding.line}`, `col=${finding.column ?? 1}`]),
    `title=${property(finding.code)}`,
  ];
  const text = escape(`${finding.message}. ${finding.fix ?? ""}`);
  return `::${kind} ${properties.join(",")}::${text}\n`;
}

function escape(text: string): string {
  return visible(text).replace(/%/g, "%25");
}

function property(text: string): string {
  return escape(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}

import type { Diagnostic, Severity } from "./types.js";

/** Order of severities, most severe first. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = {
  error: 0,
  warning: 1,
  info: 2,
};

/**
 * Sorts findings by severity, most severe first. The order of findings with the
 * same severity does not change.
 */
export function bySeverity(findings: readonly Diagnostic[]): Diagnostic[] {
  return [...findings].sort(
    (a, b) => SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity],
  );
}

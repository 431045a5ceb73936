import { formatCount } from "../../diagnostics/format-count.js";
import { annotation } from "../../diagnostics/reporters/github.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { countsOf, groupBySeverity } from "./text.js";

/**
 * Maximum number of annotations of each severity that GitHub shows for a step.
 */
const MAX_ANNOTATIONS = 10;

/**
 * Formats changes as GitHub Actions workflow commands: breaking changes become
 * errors, warnings become warnings, and a notice contains the number of changes
 * to each API.
 */
export function githubReport(comparisons: readonly Comparison[]): string {
  const changes = comparisons.flatMap(({ result }) => result.changes);
  const { breaking, warning } = groupBySeverity(changes);
  return [
    ...annotations(breaking, "error", comparisons),
    ...annotations(warning, "warning", comparisons),
    ...comparisons
      .filter(({ result }) => result.changes.length > 0)
      .slice(0, MAX_ANNOTATIONS)
      .map(({ result }) =>
        annotation({
          code: result.api,
          severity: "info",
          message: `${countsOf(result.changes)}; suggested version: ${result.bump}`,
        }),
      ),
  ].join("");
}

function annotations(
  changes: readonly LocatedChange[],
  severity: "error" | "warning",
  comparisons: readonly Comparison[],
): string[] {
  const isCut = changes.length > MAX_ANNOTATIONS;
  const shown = isCut ? changes.slice(0, MAX_ANNOTATIONS - 1) : changes;
  const rest = changes.length - shown.length;
  return [
    ...shown.map((change) => annotate(change, severity, comparisons)),
    ...(rest === 0
      ? []
      : [
          annotation({
            code: "diff",
            severity,
            message: `${formatCount(rest, "more change")} with this severity; run gen diff for the complete list`,
          }),
        ]),
  ];
}

/**
 * Formats an annotation in the new document, because the old document may be
 * absent from the working tree.
 */
function annotate(
  change: LocatedChange,
  severity: "error" | "warning",
  comparisons: readonly Comparison[],
): string {
  const comparison = comparisons.find(({ result }) =>
    result.changes.includes(change),
  );
  const { rule, message, newPosition, fingerprint } = change;
  return annotation({
    code: rule,
    severity,
    message,
    fix: `Fingerprint: ${fingerprint}`,
    ...(comparison?.new === undefined ? {} : { file: comparison.new.file }),
    ...newPosition,
  });
}

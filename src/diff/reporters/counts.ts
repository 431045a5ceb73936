import { mostSevere } from "../severity.js";
import { SEVERITIES, type DetailedChange, type Severity } from "../types.js";

/**
 * Lists of changes, keyed by severity. A change is listed under the highest of
 * its severities for clients, servers and types.
 */
export type BySeverity = Readonly<Record<Severity, readonly DetailedChange[]>>;

/**
 * Groups changes by the highest of their severities for clients, servers and
 * types.
 */
export function groupBySeverity<C extends DetailedChange>(
  changes: readonly C[],
): Readonly<Record<Severity, readonly C[]>> {
  const pick = (severity: Severity): C[] =>
    changes.filter((change) => mostSevere(change) === severity);
  return {
    breaking: pick("breaking"),
    warning: pick("warning"),
    info: pick("info"),
  };
}

/**
 * Formats the number of changes of each severity: `2 breaking, 1 warning, 30
 * infos`.
 */
export function countsOf(changes: readonly DetailedChange[]): string {
  if (changes.length === 0) return "no changes";
  const groups = groupBySeverity(changes);
  return SEVERITIES.filter((severity) => groups[severity].length > 0)
    .map((severity) => {
      const { length } = groups[severity];
      const isPlural = length > 1 && severity !== "breaking";
      return `${length} ${severity}${isPlural ? "s" : ""}`;
    })
    .join(", ");
}

/**
 * Lists the audiences (`client`, `server`, `types`) for which a change has its
 * highest severity.
 */
export function audiencesOf(change: DetailedChange): string {
  const worst = mostSevere(change);
  return (["client", "server", "types"] as const)
    .filter((audience) => change[audience] === worst)
    .join(", ");
}

/** Counts changes for each rule: `57 description-changed, 3 property-added`. */
export function countsByRule(changes: readonly DetailedChange[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of changes) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([rule, count]) => `${count} ${rule}`)
    .join(", ");
}

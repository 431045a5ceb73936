import type { Comparison, LocatedChange } from "../compare.js";
import { isUsed, mostSevere, SEVERITIES } from "../severity.js";
import { countsOf } from "./text.js";

/**
 * Maximum size in bytes of the changes of an HTML or SARIF report. With the rest
 * of the file, reports have at most 1 MB.
 */
export const MAX_CHANGES = 900_000;

/** Changes that a report contains, and those that it only counts. */
export interface LimitedChanges {
  /** Comparisons with the listed changes. */
  readonly comparisons: readonly Comparison[];
  /** Counts of the other changes, such as `drive:v3: 2 warnings, 30 infos`. */
  readonly omitted: readonly string[];
}

/**
 * Selects the changes that fit into a report: those that code uses first, then
 * breaking changes of all APIs, warnings and infos.
 * @param sizeOf returns the size of a change in the report in bytes
 */
export function limitChanges(
  comparisons: readonly Comparison[],
  sizeOf: (change: LocatedChange, comparison: Comparison) => number,
  maxBytes: number = MAX_CHANGES,
): LimitedChanges {
  const listed = new Set<LocatedChange>();
  let left = maxBytes;
  for (const isInGroup of GROUPS)
    for (const comparison of comparisons)
      for (const change of comparison.result.changes) {
        if (!isInGroup(change) || listed.has(change)) continue;
        left -= sizeOf(change, comparison);
        if (left < 0) return split(comparisons, listed);
        listed.add(change);
      }
  return { comparisons, omitted: [] };
}

/** Groups of changes in the order in which they are listed. */
const GROUPS: readonly ((change: LocatedChange) => boolean)[] = [
  isUsed,
  ...SEVERITIES.map(
    (severity) => (change: LocatedChange) => mostSevere(change) === severity,
  ),
];

function split(
  comparisons: readonly Comparison[],
  listed: ReadonlySet<LocatedChange>,
): LimitedChanges {
  return {
    comparisons: comparisons.map((comparison) => {
      const { result } = comparison;
      const changes = result.changes.filter((change) => listed.has(change));
      return { ...comparison, result: { ...result, changes } };
    }),
    omitted: comparisons.flatMap(({ result }) => {
      const others = result.changes.filter((change) => !listed.has(change));
      return others.length === 0 ? [] : [`${result.api}: ${countsOf(others)}`];
    }),
  };
}

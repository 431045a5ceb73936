import type { DocumentSummary } from "./document-summary.js";

/** Parts of a version number by which versions are sorted. */
interface Rank {
  /**
   * Stage of the version: 3 for stable, 2 for a release candidate, 1 for beta,
   * 0 for alpha or another stage.
   */
  readonly stage: number;
  readonly numbers: readonly number[];
  /** Number after the stage, such as 2 in `v1beta2`. */
  readonly step: number;
}

/**
 * Pattern that matches versions such as `v1`, `v1.1`, `v2p1beta3`,
 * `directory_v1`, `v4.1-rc.1` and `2024-01-31`.
 */
const VERSION =
  /(?:^|[_-])v?(\d{1,9}(?:[._-]\d{1,9})*)(?:p(\d{1,9}))?[._-]?([a-z]*)[._-]?(\d{0,9})/i;

const STAGES: Readonly<Record<string, number>> = {
  "": 3,
  rc: 2,
  beta: 1,
  b: 1,
};

/**
 * Compares versions so that the preferred version comes first: by stage
 * (stable, release candidate, beta, alpha), then by number in descending order,
 * then alphabetically in descending order.
 */
export function compareVersions(a: string, b: string): number {
  const left = rankOf(a);
  const right = rankOf(b);
  return (
    right.stage - left.stage ||
    compareNumbers(right.numbers, left.numbers) ||
    right.step - left.step ||
    (a < b ? 1 : a > b ? -1 : 0)
  );
}

function rankOf(version: string): Rank {
  const match = VERSION.exec(version);
  if (match === null) return { stage: 0, numbers: [], step: 0 };
  const [, numbers = "", patch, stage = "", step = ""] = match;
  return {
    stage: STAGES[stage.toLowerCase()] ?? 0,
    numbers: [...numbers.split(/[._-]/), ...(patch ? [patch] : [])].map(Number),
    step: Number(step),
  };
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Compares two documents by name, then by version. The preferred version comes
 * first.
 */
export function byNameAndVersion(
  a: DocumentSummary,
  b: DocumentSummary,
): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (
    Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
    compareVersions(a.version, b.version)
  );
}

/**
 * Returns the id of the preferred version of each API. A deprecated version is
 * preferred only if all versions of the API are deprecated.
 */
export function preferredIds(
  summaries: readonly DocumentSummary[],
): Set<string> {
  const preferredVersions = new Map<string, DocumentSummary>();
  for (const summary of summaries) {
    const current = preferredVersions.get(summary.name);
    if (current === undefined || byNameAndVersion(summary, current) < 0)
      preferredVersions.set(summary.name, summary);
  }
  return new Set([...preferredVersions.values()].map(({ id }) => id));
}

function isDeprecated({ labels }: DocumentSummary): boolean {
  return labels?.includes("deprecated") === true;
}

import type { DocumentSummary } from "./document-summary.js";
import { compareVersions } from "./versions.js";

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

/** Range of versions that support a property. */
interface SupportedVersionRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Compares two versions. Returns a negative number if the first version is
 * older, zero if both are equal, and a positive number if the first is newer.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Tests whether a property was introduced after the given version. */
export function isIntroducedAfter(
  { since }: SupportedVersionRange,
  version: string,
): boolean {
  return since !== undefined && compareVersions(since, version) > 0;
}

/**
 * Tests whether a property was removed in or before a version. `until: "1.2"`
 * means that every version 1.2.x supports the property.
 */
export function isRemovedIn(
  { until }: SupportedVersionRange,
  version: string,
): boolean {
  if (until === undefined) return false;
  const line = version.split(".").slice(0, until.split(".").length).join(".");
  return compareVersions(line, until) > 0;
}

/** Tests whether a version supports a property. */
export function isSupportedIn(
  version: string,
  support: SupportedVersionRange,
): boolean {
  return !isIntroducedAfter(support, version) && !isRemovedIn(support, version);
}

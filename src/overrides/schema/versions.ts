/** The versions that know a property. */
export interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Negative, zero or positive as the first version is older, the same or newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a property came after a version. */
export function isLater({ since }: Span, version: string): boolean {
  return since !== undefined && compareVersions(since, version) > 0;
}

/** Whether a property was gone by a version; `until` 1.2 means every 1.2.x. */
export function isGone({ until }: Span, version: string): boolean {
  if (until === undefined) return false;
  const line = version.split(".").slice(0, until.split(".").length).join(".");
  return compareVersions(line, until) > 0;
}

/** Whether a version knows a property. */
export function isWithin(version: string, span: Span): boolean {
  return !isLater(span, version) && !isGone(span, version);
}

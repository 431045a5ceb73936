/** Returns true if a version such as `22.18.0` is at least the given one. */
export function isAtLeast(
  version: string,
  major: number,
  minor: number,
): boolean {
  const [found = 0, foundMinor = 0] = version.split(".").map(Number);
  return found > major || (found === major && foundMinor >= minor);
}

/** Returns the items of a list whose keys are not in another list. */
export function missingItems<T>(
  from: readonly T[],
  other: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  const keys = new Set(other.map(keyOf));
  return from.filter((item) => !keys.has(keyOf(item)));
}

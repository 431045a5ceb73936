/**
 * Returns the items of the first list whose keys do not occur in the second
 * list.
 */
export function missingItems<T>(
  from: readonly T[],
  other: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  const keys = new Set(other.map(keyOf));
  return from.filter((item) => !keys.has(keyOf(item)));
}

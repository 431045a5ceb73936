/** Formats a count with its noun: `1 property`, `3 properties`. */
export function formatCount(
  count: number,
  noun: string,
  plural: string = `${noun}s`,
): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * Returns the candidate that is most similar to a word; undefined if the edit
 * distance is more than 40% of the word's length.
 */
export function closest(
  word: string,
  candidates: readonly string[],
): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  const limit = Math.max(1, Math.floor(word.length * 0.4));
  return best !== undefined && best.edits <= limit ? best.candidate : undefined;
}

/**
 * Returns the minimum number of edits that turn one word into another:
 * insertions, deletions, replacements and swaps of adjacent characters (optimal
 * string alignment distance).
 * @param limit maximum of the result; larger distances are not calculated
 */
export function editDistance(
  a: string,
  b: string,
  limit: number = Number.POSITIVE_INFINITY,
): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      const isSwap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(limit, row[b.length]!);
}

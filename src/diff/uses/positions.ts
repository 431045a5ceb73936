import type { UsePosition } from "./types.js";

/**
 * Returns positions in the order of files, lines and columns, without
 * duplicates. A use that is certain takes precedence over an undecided one.
 */
export function sortedPositions(
  positions: Iterable<UsePosition>,
): readonly UsePosition[] {
  const unique = new Map<string, UsePosition>();
  for (const at of positions) {
    const key = `${at.file}\n${at.line}\n${at.column}`;
    const known = unique.get(key);
    if (known === undefined || known.undecided === true) unique.set(key, at);
  }
  return [...unique.values()].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column,
  );
}

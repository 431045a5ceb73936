/* eslint-disable */
// biome-ignore-all lint: generated

/** Set of UTF-16 code units. Each range has a first and a last code unit. */
export type UnitRanges = readonly (readonly [first: number, last: number])[];

const LAST = 0xffff;

/** Tests whether two sets have a common code unit. */
export function overlap(a: UnitRanges, b: UnitRanges): boolean {
  return !disjoint([a, b]);
}

/**
 * Tests whether sets are disjoint, that is, no two of them have a common code
 * unit. Takes O(n log n) time.
 */
export function disjoint(sets: readonly UnitRanges[]): boolean {
  const sorted = sets.flatMap(merge).sort(byFirst);
  return sorted.every((range, at) => at === 0 || sorted[at - 1]![1] < range[0]);
}

/** Returns an equal set whose ranges are sorted and do not overlap. */
function merge(ranges: UnitRanges): UnitRanges {
  if (ranges.length < 2) return ranges;
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(byFirst)) {
    const before = merged.at(-1);
    if (before === undefined || before[1] < first) merged.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return merged;
}

function byFirst([a]: UnitRanges[number], [b]: UnitRanges[number]): number {
  return a - b;
}

/** Tests whether a set contains a code unit. */
export function contains(unit: number, ranges: UnitRanges): boolean {
  for (const [first, last] of ranges)
    if (first <= unit && unit <= last) return true;
  return false;
}

/** Returns the complement of a set: all code units that are not in the set. */
export function invert(ranges: UnitRanges): UnitRanges {
  const sorted = [...ranges].sort(byFirst);
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of sorted) {
    if (first > next) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

/** Returns the set that contains a single character. */
export function single(character: string): UnitRanges {
  const code = character.charCodeAt(0);
  return [[code, code]];
}

const DIGITS: UnitRanges = [[48, 57]];
const WORDS: UnitRanges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACES: UnitRanges = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** Characters that `.` matches in a pattern. */
export const ANY_BUT_LINE_ENDS: UnitRanges = invert([
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]);

/**
 * Characters that `\d` and the other character classes match, keyed by the
 * letter of the class.
 */
export const CLASSES: ReadonlyMap<string, UnitRanges> = new Map([
  ["d", DIGITS],
  ["D", invert(DIGITS)],
  ["w", WORDS],
  ["W", invert(WORDS)],
  ["s", SPACES],
  ["S", invert(SPACES)],
]);

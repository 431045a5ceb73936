/* eslint-disable */
// biome-ignore-all lint: generated

/** Sets of UTF-16 code units, as pairs of first and last one. */
export type UnitRanges = readonly (readonly [first: number, last: number])[];

const LAST = 0xffff;

/** Whether two sets have something in common. */
export function overlap(a: UnitRanges, b: UnitRanges): boolean {
  return !disjoint([a, b]);
}

/** Whether no unit belongs to two of the sets; takes time in proportion to n log n. */
export function disjoint(sets: readonly UnitRanges[]): boolean {
  const all = sets.flatMap(merge).sort(byFirst);
  return all.every((range, at) => at === 0 || all[at - 1]![1] < range[0]);
}

/** The same set in ranges that do not overlap, in order. */
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

/** Whether a set has a unit. */
export function contains(unit: number, ranges: UnitRanges): boolean {
  for (const [first, last] of ranges)
    if (first <= unit && unit <= last) return true;
  return false;
}

/** All that is not in a set. */
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

/** The one character. */
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

/** What `.` stands for. */
export const ANY_BUT_LINE_ENDS: UnitRanges = invert([
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]);

/** What `\d` and its like stand for. */
export const CLASSES: ReadonlyMap<string, UnitRanges> = new Map([
  ["d", DIGITS],
  ["D", invert(DIGITS)],
  ["w", WORDS],
  ["W", invert(WORDS)],
  ["s", SPACES],
  ["S", invert(SPACES)],
]);

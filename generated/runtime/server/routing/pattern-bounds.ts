/* eslint-disable */
// biome-ignore-all lint: generated

import type { PatternNode } from "./pattern-syntax.js";
import { disjoint, overlap, type UnitRanges } from "./unit-ranges.js";

/**
 * Length limit of a pattern in characters; the longest in real documents has
 * 121.
 */
export const MAX_LENGTH = 2_000;

/**
 * Limit of the characters and edges in a pattern after expanding its
 * repetitions.
 */
export const MAX_SIZE = 10_000;

/**
 * Limit of the paths through a pattern that the platform's backtracking engine
 * may try.
 */
export const MAX_PATHS = 1_000;

/** Repetitions beyond this count are treated as unlimited. */
const MANY = 1_000;

/**
 * Returns the size of a pattern with its repetitions expanded: a lower bound of
 * the steps of a match, independent of the text. Empty nodes count too, since
 * an engine repeats them as well.
 */
export function sizeOf(piece: PatternNode): number {
  switch (piece.kind) {
    case "set":
    case "edge":
      return 1;
    case "row":
    case "either":
      return piece.of.reduce((sum, one) => sum + sizeOf(one), 1);
    case "times": {
      const { of, min, max } = piece;
      return sizeOf(of) * Math.max(1, max === Infinity ? min + 1 : max);
    }
  }
}

/**
 * Returns an upper bound of the paths that a backtracking engine may try for
 * one text; infinite if it grows with the text. Two paths count as one only if
 * the next character decides between them.
 */
export function countPaths(piece: PatternNode): number {
  return count(piece, [], false);
}

/**
 * @param follow the characters that can follow the node.
 */
function count(
  piece: PatternNode,
  follow: UnitRanges,
  isLooped: boolean,
): number {
  switch (piece.kind) {
    case "set":
    case "edge":
      return 1;
    case "row":
      return countRow(piece.of, follow, isLooped);
    case "either":
      return countChoice(piece.of, follow, isLooped);
    case "times":
      return countRepeat(piece, follow, isLooped);
  }
}

function countRow(
  pieces: readonly PatternNode[],
  follow: UnitRanges,
  isLooped: boolean,
): number {
  let ways = 1;
  let next = follow;
  for (const piece of [...pieces].reverse()) {
    ways *= count(piece, next, isLooped);
    if (ways > MAX_PATHS) return Infinity;
    next = isNullable(piece) ? [...firstOf(piece), ...next] : firstOf(piece);
  }
  return ways;
}

function countChoice(
  pieces: readonly PatternNode[],
  follow: UnitRanges,
  isLooped: boolean,
): number {
  const nullable = pieces.filter(isNullable);
  const starts = pieces.map(firstOf);
  if (nullable.length > 0) starts.push(follow);
  const isOpen = nullable.length > 1 || !disjoint(starts);
  if (isOpen && isLooped) return Infinity;
  const ways = pieces.map((piece) => count(piece, follow, isLooped));
  return isOpen
    ? ways.reduce((sum, one) => sum + one, 0)
    : Math.max(1, ...ways);
}

function countRepeat(
  { of: piece, min, max }: Extract<PatternNode, { kind: "times" }>,
  follow: UnitRanges,
  isLooped: boolean,
): number {
  const first = firstOf(piece);
  const isOpen = isNullable(piece) || overlap(first, follow);
  if (isOpen && (max > MANY || isLooped)) return Infinity;
  const inner = count(piece, [...first, ...follow], isLooped || max > 1);
  return isOpen ? inner * (max - min + 1) : inner;
}

function isNullable(piece: PatternNode): boolean {
  switch (piece.kind) {
    case "set":
      return false;
    case "edge":
      return true;
    case "row":
      return piece.of.every(isNullable);
    case "either":
      return piece.of.some(isNullable);
    case "times":
      return piece.min === 0 || isNullable(piece.of);
  }
}

/** Returns the characters that a match can begin with. */
function firstOf(piece: PatternNode): UnitRanges {
  switch (piece.kind) {
    case "set":
      return piece.ranges;
    case "edge":
      return [];
    case "either":
      return piece.of.flatMap(firstOf);
    case "times":
      return firstOf(piece.of);
    case "row": {
      const end = piece.of.findIndex((part) => !isNullable(part));
      const parts = end === -1 ? piece.of : piece.of.slice(0, end + 1);
      return parts.flatMap(firstOf);
    }
  }
}

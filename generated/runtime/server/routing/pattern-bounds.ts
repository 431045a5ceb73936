/* eslint-disable */
// biome-ignore-all lint: generated

import type { PatternNode } from "./pattern-syntax.js";
import { disjoint, overlap, type UnitRanges } from "./unit-ranges.js";

/**
 * Maximum length of a pattern in characters. The longest pattern in published
 * API descriptions has 121 characters.
 */
export const MAX_LENGTH = 2_000;

/**
 * Maximum size of a pattern after its repetitions have been expanded; see
 * `sizeOf`.
 */
export const MAX_SIZE = 10_000;

/**
 * Maximum number of paths through a pattern that a backtracking engine may try.
 * Up to this number, the platform's regular expression engine is used; beyond
 * this number, an automaton is used.
 */
export const MAX_PATHS = 1_000;

/**
 * Upper limit for the maximum count of a repetition. A greater count is treated
 * as unlimited.
 */
const MANY = 1_000;

/**
 * Returns the size of a pattern after its repetitions have been expanded. Empty
 * groups count too, because a regular expression engine also repeats them.
 */
export function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case "set":
    case "edge":
      return 1;
    case "sequence":
    case "alternation":
      return node.of.reduce((sum, one) => sum + sizeOf(one), 1);
    case "repeat": {
      const { of, min, max } = node;
      return sizeOf(of) * Math.max(1, max === Infinity ? min + 1 : max);
    }
  }
}

/**
 * Returns an upper bound for the number of paths that a backtracking engine
 * tries for one text; Infinity if the number can grow with the length of the
 * text. Several alternatives count as one path only if the next character
 * determines which of them can match.
 */
export function countPaths(node: PatternNode): number {
  return count(node, [], false);
}

/**
 * Counts the paths through a node of the pattern.
 *
 * @param follow characters that can follow the node.
 * @param isLooped true if the node is part of a repetition.
 */
function count(
  node: PatternNode,
  follow: UnitRanges,
  isLooped: boolean,
): number {
  switch (node.kind) {
    case "set":
    case "edge":
      return 1;
    case "sequence":
      return countRow(node.of, follow, isLooped);
    case "alternation":
      return countChoice(node.of, follow, isLooped);
    case "repeat":
      return countRepeat(node, follow, isLooped);
  }
}

function countRow(
  nodes: readonly PatternNode[],
  follow: UnitRanges,
  isLooped: boolean,
): number {
  let ways = 1;
  let next = follow;
  for (const node of [...nodes].reverse()) {
    ways *= count(node, next, isLooped);
    if (ways > MAX_PATHS) return Infinity;
    next = isNullable(node) ? [...firstOf(node), ...next] : firstOf(node);
  }
  return ways;
}

function countChoice(
  nodes: readonly PatternNode[],
  follow: UnitRanges,
  isLooped: boolean,
): number {
  const nullable = nodes.filter(isNullable);
  const starts = nodes.map(firstOf);
  if (nullable.length > 0) starts.push(follow);
  const isOpen = nullable.length > 1 || !disjoint(starts);
  if (isOpen && isLooped) return Infinity;
  const ways = nodes.map((node) => count(node, follow, isLooped));
  return isOpen
    ? ways.reduce((sum, one) => sum + one, 0)
    : Math.max(1, ...ways);
}

function countRepeat(
  { of: node, min, max }: Extract<PatternNode, { kind: "repeat" }>,
  follow: UnitRanges,
  isLooped: boolean,
): number {
  const first = firstOf(node);
  const isOpen = isNullable(node) || overlap(first, follow);
  if (isOpen && (max > MANY || isLooped)) return Infinity;
  const inner = count(node, [...first, ...follow], isLooped || max > 1);
  return isOpen ? inner * (max - min + 1) : inner;
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "edge":
      return true;
    case "sequence":
      return node.of.every(isNullable);
    case "alternation":
      return node.of.some(isNullable);
    case "repeat":
      return node.min === 0 || isNullable(node.of);
  }
}

/** Returns the characters with which a match of a node can begin. */
function firstOf(node: PatternNode): UnitRanges {
  switch (node.kind) {
    case "set":
      return node.ranges;
    case "edge":
      return [];
    case "alternation":
      return node.of.flatMap(firstOf);
    case "repeat":
      return firstOf(node.of);
    case "sequence": {
      const end = node.of.findIndex((part) => !isNullable(part));
      const parts = end === -1 ? node.of : node.of.slice(0, end + 1);
      return parts.flatMap(firstOf);
    }
  }
}

/* eslint-disable */
// biome-ignore-all lint: generated

import {
  MAX_LENGTH,
  MAX_SIZE,
  MAX_PATHS,
  sizeOf,
  countPaths,
} from "./pattern-bounds.js";
import { parsePattern, type PatternNode } from "./pattern-syntax.js";
import { simulate } from "./pattern-machine.js";

/** Function that tests whether a string matches a pattern. */
export type PatternTest = (text: string) => boolean;

/**
 * Parses a pattern from an API description. The pattern is not trusted.
 *
 * @returns undefined for a pattern that must not be executed: unsupported
 *   syntax, or a length or size beyond the limits.
 */
export function boundedPattern(pattern: string): PatternNode | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  const node = parsePattern(pattern);
  return node === undefined || sizeOf(node) > MAX_SIZE ? undefined : node;
}

/**
 * Compiles a pattern from an API description. The pattern must match at the
 * start of the text, as in official clients; `^` and `$` have their normal
 * meaning. Matching takes linear time: if the platform's engine could backtrack
 * excessively, an automaton is used instead.
 *
 * @returns undefined for a pattern that exceeds the limits or has unsupported
 *   syntax.
 */
export function compilePattern(pattern: string): PatternTest | undefined {
  const node = boundedPattern(pattern);
  if (node === undefined) return undefined;
  if (countPaths(node) > MAX_PATHS) return simulate(node);
  const expression = new RegExp(`^(?:${pattern})`);
  return (text) => expression.test(text);
}

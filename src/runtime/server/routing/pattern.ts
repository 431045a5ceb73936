import {
  MAX_LENGTH,
  MAX_SIZE,
  MAX_PATHS,
  sizeOf,
  countPaths,
} from "./pattern-bounds.js";
import { parsePattern, type PatternNode } from "./pattern-syntax.js";
import { simulate } from "./pattern-machine.js";

/** Whether a text has the form that a pattern asks for. */
export type PatternTest = (text: string) => boolean;

/**
 * Reads a pattern of a document, which may come from anywhere.
 *
 * @returns undefined for a pattern that must not be run: its syntax is not
 * understood, or it is longer or repeats more than the bounds allow.
 */
export function boundedPattern(pattern: string): PatternNode | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  const piece = parsePattern(pattern);
  return piece === undefined || sizeOf(piece) > MAX_SIZE ? undefined : piece;
}

/**
 * A test for a pattern of a document. The text has to begin with what the
 * pattern describes, as official clients see it; `^` and `$` bind as usual. The
 * time it takes grows with the length of the text at most by a fixed factor: a
 * pattern with which the platform's engine could go back and forth is run by a
 * machine that never goes back.
 *
 * @returns undefined for a pattern beyond the bounds.
 */
export function compilePattern(pattern: string): PatternTest | undefined {
  const piece = boundedPattern(pattern);
  if (piece === undefined) return undefined;
  if (countPaths(piece) > MAX_PATHS) return simulate(piece);
  const expression = new RegExp(`^(?:${pattern})`);
  return (text) => expression.test(text);
}

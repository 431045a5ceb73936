/* eslint-disable */
// biome-ignore-all lint: generated

import { parsePattern, type Piece } from "./pattern-syntax.js";
import { simulate } from "./pattern-machine.js";

/** Whether a text has the form that a pattern asks for. */
export type Test = (text: string) => boolean;

/**
 * A test for a pattern of a document, which may come from anywhere. The text
 * has to begin with what the pattern describes, as official clients see it;
 * `^` and `$` bind as usual. The time it takes grows with the length of the
 * text at most by a factor of its own size: a pattern with which the platform's
 * engine could go back and forth is run by a machine that never goes back.
 *
 * @returns undefined for a pattern whose syntax is not understood.
 */
export function compilePattern(pattern: string): Test | undefined {
  const piece = parsePattern(pattern);
  if (piece === undefined) return undefined;
  if (!isTame(piece, false)) return simulate(piece);
  const expression = new RegExp(`^(?:${pattern})`);
  return (text) => expression.test(text);
}

/**
 * Whether the platform's engine has but one way to read any text, or few: no
 * repetition without end, and no long one, has a choice within it or stands
 * beside another one.
 */
function isTame(piece: Piece, isRepeated: boolean): boolean {
  switch (piece.kind) {
    case "set":
    case "edge":
      return true;
    case "either":
      return !isRepeated && piece.of.every((one) => isTame(one, isRepeated));
    case "row":
      return (
        piece.of.filter(isLong).length < 2 &&
        piece.of.every((one) => isTame(one, isRepeated))
      );
    case "times":
      return !isRepeated && isTame(piece.of, piece.max > 1);
  }
}

/** Whether it repeats something so often that going back would cost. */
function isLong(piece: Piece): boolean {
  if (piece.kind === "times") return piece.max > 1 && piece.max !== piece.min;
  return (
    piece.kind !== "set" && piece.kind !== "edge" && partsOf(piece).some(isLong)
  );
}

function partsOf(piece: Piece): readonly Piece[] {
  return "of" in piece ? [piece.of].flat() : [];
}

import { compilePattern } from "../server/pattern.js";
import { parsePattern, type Piece } from "../server/pattern-syntax.js";
import { pick } from "./random.js";

/** Characters to choose from where a set has many. */
const USUAL: readonly number[] = [..."ab1-cd2_XY."].map((char) =>
  char.charCodeAt(0),
);

/** A text that matches a pattern; undefined where none was found. */
export function patternText(
  pattern: string,
  random: () => number,
): string | undefined {
  const piece = parsePattern(pattern);
  const test = compilePattern(pattern);
  if (piece === undefined || test === undefined) return undefined;
  for (let attempt = 0; attempt < 20; attempt++) {
    const text = write(piece, random);
    if (test(text)) return text;
  }
  return undefined;
}

function write(piece: Piece, random: () => number): string {
  switch (piece.kind) {
    case "edge":
      return "";
    case "set":
      return character(piece.has, random);
    case "row":
      return piece.of.map((one) => write(one, random)).join("");
    case "either":
      return write(pick(piece.of, random), random);
    case "times": {
      const more = Math.min(piece.max - piece.min, 3);
      const count = piece.min + Math.ceil(random() * more);
      return Array.from({ length: count }, () => write(piece.of, random)).join(
        "",
      );
    }
  }
}

function character(
  has: (unit: number) => boolean,
  random: () => number,
): string {
  const usual = USUAL.filter(has);
  if (usual.length > 0) return String.fromCharCode(pick(usual, random));
  for (let unit = 32; unit < 0xd800; unit++)
    if (has(unit)) return String.fromCharCode(unit);
  return "";
}

import { duplicateKeys, syntaxErrorIn } from "../diagnostics/json-text.js";
import {
  locatePointers,
  positionFinder,
  type TextPosition,
} from "../diagnostics/locate.js";
import { escapeToken } from "../diagnostics/types.js";

/** Parsed patch file, with the positions of its values. */
export interface PatchText {
  readonly value: unknown;
  /**
   * Returns the position of the value at a JSON pointer or of its nearest
   * existing ancestor.
   */
  positionOf(pointer: string): TextPosition;
}

export class PatchSyntaxError extends Error {
  readonly position: TextPosition;

  constructor(message: string, position: TextPosition) {
    super(message);
    this.position = position;
  }
}

/** Maximum nesting depth of objects and lists. */
export const MAX_DEPTH = 100;

/**
 * Parses a patch file in JSON.
 * @throws PatchSyntaxError if the text is invalid
 */
export function parseJson(text: string): PatchText {
  const position = positionFinder(text);
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    const { message, offset } = syntaxErrorIn(text);
    throw new PatchSyntaxError(message, position(offset));
  }
  const [duplicate] = duplicateKeys(text);
  if (duplicate !== undefined)
    throw new PatchSyntaxError(
      `the key ${duplicate[0]} occurs twice`,
      position(duplicate[1]),
    );
  if (depthOf(text) > MAX_DEPTH) throw depthError({ line: 1, column: 1 });
  let positions: ReadonlyMap<string, TextPosition> | undefined;
  return {
    value,
    positionOf: (pointer) => {
      // The positions of all keys of operations are found in a single scan.
      positions ??= locatePointers(text, pointersIn(value, "", 3));
      return nearest(positions, pointer);
    },
  };
}

/**
 * Returns the JSON pointers of a value and of the values nested in it, up to
 * the given number of levels.
 */
function pointersIn(value: unknown, at: string, levels: number): string[] {
  if (typeof value !== "object" || value === null || levels === 0) return [at];
  const below = Object.entries(value).flatMap(([key, child]) =>
    pointersIn(child, `${at}/${escapeToken(key)}`, levels - 1),
  );
  return [at, ...below];
}

/**
 * Returns the position of the value at a JSON pointer or of its nearest existing
 * ancestor.
 */
function nearest(
  positions: ReadonlyMap<string, TextPosition>,
  pointer: string,
): TextPosition {
  const position = positions.get(pointer);
  if (position !== undefined || pointer === "")
    return position ?? { line: 1, column: 1 };
  return nearest(positions, pointer.slice(0, pointer.lastIndexOf("/")));
}

/** Returns an upper bound of the nesting depth of a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gs)) {
    if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++depth);
    else if (mark === "]" || mark === "}") depth--;
  }
  return deepest;
}

/** Returns the error for a patch file that is nested too deeply. */
export function depthError(position: TextPosition): PatchSyntaxError {
  return new PatchSyntaxError(
    `the file is nested deeper than ${MAX_DEPTH} levels`,
    position,
  );
}

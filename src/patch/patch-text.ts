import type { TextPosition } from "../diagnostics/locate.js";
import { JsonScanner } from "../diagnostics/scanner.js";
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

/** Syntax error in a patch file. */
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
  const error = new JsonScanner(text).findError();
  if (error !== undefined)
    throw new PatchSyntaxError(error.message, position(error.offset));
  const [duplicate] = new JsonScanner(text).duplicateKeys();
  if (duplicate !== undefined)
    throw new PatchSyntaxError(
      `the key ${duplicate[0]} occurs twice`,
      position(duplicate[1]),
    );
  if (depthOf(text) > MAX_DEPTH) throw depthError({ line: 1, column: 1 });
  const value = JSON.parse(text) as unknown;
  let offsets: ReadonlyMap<string, number> | undefined;
  return {
    value,
    positionOf: (pointer) => {
      // The positions of all keys of operations are found in a single scan.
      const pointers = (): string[] => pointersIn(value, "", 3);
      offsets ??= new JsonScanner(text).find(new Set(pointers()));
      return position(nearest(offsets, pointer));
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
 * Returns the offset of the value at a JSON pointer or of its nearest existing
 * ancestor.
 */
function nearest(
  offsets: ReadonlyMap<string, number>,
  pointer: string,
): number {
  const offset = offsets.get(pointer);
  if (offset !== undefined || pointer === "") return offset ?? 0;
  return nearest(offsets, pointer.slice(0, pointer.lastIndexOf("/")));
}

/**
 * Returns a function that converts offsets to positions in logarithmic time.
 * The function is called for every operation in a file, so it must be fast.
 */
export function positionFinder(text: string): (offset: number) => TextPosition {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
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

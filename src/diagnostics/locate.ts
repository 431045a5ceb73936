import type { Diagnostic } from "./types.js";
import { JsonScanner } from "./scanner.js";

/** A place in a text, both 1-based; columns count UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset into the text. */
export function placeAt(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  for (;;) {
    const next = text.indexOf("\n", start);
    if (next === -1 || next >= offset) break;
    line++;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/**
 * Places of JSON pointers in a JSON text, found in one scan. A pointer whose
 * last tokens the text lacks gets the place of its nearest ancestor.
 */
export function locatePointers(
  text: string,
  pointers: Iterable<string>,
): Map<string, Place> {
  const offsets = new JsonScanner(text).find(new Set(pointers));
  const places = new Map<string, Place>();
  for (const [pointer, offset] of offsets) {
    places.set(pointer, placeAt(text, offset));
  }
  return places;
}

/** Adds line and column to diagnostics that carry a pointer, in one scan. */
export function locate(
  diagnostics: readonly Diagnostic[],
  text: string,
  isWanted: (found: Diagnostic) => boolean = () => true,
): Diagnostic[] {
  const hasNoPlace = (found: Diagnostic): boolean =>
    found.pointer !== undefined && found.line === undefined && isWanted(found);
  const wanted = diagnostics.filter(hasNoPlace);
  if (wanted.length === 0) return [...diagnostics];
  const places = locatePointers(
    text,
    wanted.map((found) => found.pointer ?? ""),
  );
  return diagnostics.map((found) =>
    hasNoPlace(found)
      ? { ...found, ...places.get(found.pointer ?? "") }
      : found,
  );
}

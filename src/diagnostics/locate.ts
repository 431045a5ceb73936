import type { Diagnostic } from "./types.js";
import { findOffsets } from "./json-text.js";

/**
 * Position in a string. Line and column are counted from 1; columns count
 * UTF-16 code units.
 */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of an offset in a string. */
export function positionAt(text: string, offset: number): TextPosition {
  return positionFinder(text)(offset);
}

/**
 * Returns a function that converts offsets to positions in logarithmic time.
 * Documents can have thousands of findings, so it must be fast.
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

/**
 * Finds the positions of JSON pointers in a JSON text, in one scan. A pointer
 * to a missing value gets the position of its nearest ancestor.
 */
export function locatePointers(
  text: string,
  pointers: Iterable<string>,
): Map<string, TextPosition> {
  const position = positionFinder(text);
  const positions = new Map<string, TextPosition>();
  for (const [pointer, offset] of findOffsets(text, pointers))
    positions.set(pointer, position(offset));
  return positions;
}

/**
 * Adds line and column to diagnostics that have a JSON pointer. Scans the text
 * once.
 */
export function locate(
  diagnostics: readonly Diagnostic[],
  text: string,
  isLocated: (finding: Diagnostic) => boolean = () => true,
): Diagnostic[] {
  const needsPosition = (finding: Diagnostic): boolean =>
    finding.pointer !== undefined &&
    finding.line === undefined &&
    isLocated(finding);
  const pending = diagnostics.filter(needsPosition);
  if (pending.length === 0) return [...diagnostics];
  const positions = locatePointers(
    text,
    pending.map((finding) => finding.pointer ?? ""),
  );
  return diagnostics.map((finding) =>
    needsPosition(finding)
      ? { ...finding, ...positions.get(finding.pointer ?? "") }
      : finding,
  );
}

import type { Diagnostic } from "./types.js";
import { JsonScanner } from "./scanner.js";

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
 * Finds the positions of JSON pointers in a JSON text, in one scan. A pointer
 * to a missing value gets the position of its nearest ancestor.
 */
export function locatePointers(
  text: string,
  pointers: Iterable<string>,
): Map<string, TextPosition> {
  const offsets = new JsonScanner(text).find(new Set(pointers));
  const positions = new Map<string, TextPosition>();
  for (const [pointer, offset] of offsets) {
    positions.set(pointer, positionAt(text, offset));
  }
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

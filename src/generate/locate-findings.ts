import { locate } from "../diagnostics/locate.js";
import type { Diagnostic } from "../diagnostics/types.js";

/** Text of a document, or a function that reads the text again. */
export type DocumentText = string | (() => string | undefined) | undefined;

/**
 * Adds line and column to diagnostics. The text of the document is read only if
 * a diagnostic gets a position.
 */
export function locateFindings(
  diagnostics: Diagnostic[],
  source: DocumentText,
  locateInfo: boolean,
): Diagnostic[] {
  const isLocated = ({ severity }: Diagnostic): boolean =>
    locateInfo || severity !== "info";
  if (!diagnostics.some(isLocated)) return diagnostics;
  const text = typeof source === "function" ? source() : source;
  return text === undefined
    ? diagnostics
    : locate(diagnostics, text, isLocated);
}

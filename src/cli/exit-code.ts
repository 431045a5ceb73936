import { catalogue, type Code } from "../diagnostics/catalogue.js";
import type { Diagnostic } from "../diagnostics/types.js";

/**
 * Exit codes for errors, most severe first: 5 for a bug, 2 for invalid usage or
 * output, 4 for an invalid patch, 3 for an invalid description, 1 for a
 * document that differs from the lock file.
 */
const WORST_FIRST = [5, 2, 4, 3, 1];

/**
 * Catalogue of diagnostics, keyed by code. Rule codes of `gen validate` have no
 * entry.
 */
const exits: Partial<typeof catalogue> = catalogue;

/**
 * Returns the exit code of the most severe error; undefined if there are no
 * errors.
 */
export function exitCodeOf(
  diagnostics: readonly Diagnostic[],
): number | undefined {
  const codes: number[] = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => exits[code as Code]?.exit ?? 3);
  return WORST_FIRST.find((code) => codes.includes(code));
}

import { catalogue, type Code } from "../diagnostics/catalogue.js";
import type { Diagnostic } from "../diagnostics/types.js";

/** From the worst on: bug, usage or output, patch, description. */
const WORST_FIRST = [5, 2, 4, 3];

/** The exit code that the worst error asks for; undefined where there is none. */
export function exitCodeOf(
  diagnostics: readonly Diagnostic[],
): number | undefined {
  const codes: number[] = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => catalogue[code as Code].exit ?? 3);
  return WORST_FIRST.find((code) => codes.includes(code));
}

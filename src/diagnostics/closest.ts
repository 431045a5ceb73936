import { closest } from "../runtime/rules/similar.js";

export { closest, editDistance } from "../runtime/rules/similar.js";

/**
 * Returns ` (did you mean x?)`, or an empty string if no candidate is similar.
 */
export function suggestion(
  word: string,
  candidates: readonly string[],
): string {
  const suggested = closest(word, candidates);
  return suggested === undefined ? "" : ` (did you mean ${suggested}?)`;
}

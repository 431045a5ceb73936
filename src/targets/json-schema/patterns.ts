import { judgePattern } from "../validator/patterns.js";

/**
 * Pattern that matches unnecessary escapes. Unicode mode does not allow them.
 */
const NEEDLESS = /\\([^\w\s^$\\.*+?()[\]{}|/-]|_)/g;

/**
 * Converts a regular expression to the syntax that JSON Schema requires:
 * ECMAScript with the `u` flag. Returns undefined for patterns that generated
 * validators do not enforce, because they are not anchored or their running
 * time is not bounded.
 */
export function exportedPattern(source: string): string | undefined {
  if (judgePattern(source) !== "enforced") return undefined;
  return [source, source.replace(NEEDLESS, "$1"), withoutDashes(source)].find(
    isUnicodePattern,
  );
}

/**
 * Removes escapes that are invalid in Unicode mode, including escapes of dashes
 * outside of character classes.
 */
function withoutDashes(source: string): string {
  const plain = source.replace(NEEDLESS, "$1");
  return plain.replace(/\[(?:\\.|[^\]\\])*(?:\]|\\?$)|\\-/gs, (match) =>
    match === "\\-" ? "-" : match,
  );
}

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

import { duplicateKeys } from "../diagnostics/json-text.js";
import type { Sink } from "../diagnostics/sink.js";

/** Maximum number of reported duplicates per document. */
const MAX_REPORTS = 20;

/**
 * Reports keys that occur more than once in an object. JSON.parse silently
 * keeps only the last value of such a key, so methods or schemas would be lost.
 * The text is scanned only if its number of keys differs from that of the
 * parsed value.
 * @param keys total number of members in all objects of the parsed value
 */
export function reportDuplicates(text: string, keys: number, sink: Sink): void {
  if (countKeys(text) === keys) return;
  for (const [pointer] of duplicateKeys(text).slice(0, MAX_REPORTS)) {
    const key = pointer.slice(pointer.lastIndexOf("/") + 1);
    sink.report("json-duplicate-key", `the key ${key} occurs twice`, pointer);
  }
}

/**
 * Counts the keys in JSON text by counting the `":` after each key. Quotes
 * inside strings are escaped with a backslash. A key that ends with a backslash
 * or is followed by a space is not counted; the only consequence is an
 * unnecessary scan.
 */
function countKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2))
    if (text[at - 1] !== "\\") count++;
  return count;
}

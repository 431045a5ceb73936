import { JsonScanner } from "../diagnostics/scanner.js";
import type { Sink } from "../diagnostics/sink.js";

/** Reports beyond this many help nobody. */
const MAX_REPORTS = 20;

/**
 * Reports keys that occur twice in an object, of which JSON.parse keeps the
 * last: a method or schema would vanish without a word. Looks closely only
 * where the text has another number of keys than the value.
 * @param keys members of all objects of the parsed value
 */
export function reportDuplicates(text: string, keys: number, sink: Sink): void {
  if (countKeys(text) === keys) return;
  const found = new JsonScanner(text).duplicateKeys();
  for (const [pointer] of found.slice(0, MAX_REPORTS)) {
    const key = pointer.slice(pointer.lastIndexOf("/") + 1);
    sink.report("json-duplicate-key", `the key ${key} occurs twice`, pointer);
  }
}

/**
 * The number of `":` that end a key. A quote inside a string is escaped, so
 * that a backslash before it tells it apart; a key that ends in a backslash or
 * stands before a space makes the number differ, which costs only time.
 */
function countKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2))
    if (text[at - 1] !== "\\") count++;
  return count;
}

import type { Documents } from "../rule.js";
import { matchMethods } from "./match-methods.js";
import { shapeOf, urlPath } from "./paths.js";

/**
 * Tests whether each method has the same path, relative to the root URL, in
 * both documents.
 */
export function samePaths(documents: Documents): boolean {
  return matchMethods(documents.old, documents.new).every(
    ({ old, new: now }) =>
      old === undefined ||
      now === undefined ||
      shapeOf(urlPath(old, documents.old)) ===
        shapeOf(urlPath(now, documents.new)),
  );
}

import type { Documents } from "../rule.js";
import { matchMethods } from "./match-methods.js";
import { shapeOf, urlPath } from "./paths.js";

/**
 * Tests whether every method has the same path below the root URL in both
 * documents.
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

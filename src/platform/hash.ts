import { createHash } from "node:crypto";
import { encodedParts } from "./encoded-parts.js";

/**
 * Returns the SHA-256 hash of the concatenated contents in base64url, the
 * encoding of hashes in manifests.
 */
export function hash(...contents: readonly (string | Uint8Array)[]): string {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("base64url");
}

/**
 * Returns the same hash as `hash`, but encodes the string in parts, which saves
 * memory for large strings.
 */
export function hashParts(text: string): string {
  const sum = createHash("sha256");
  for (const part of encodedParts(text)) sum.update(part);
  return sum.digest("base64url");
}

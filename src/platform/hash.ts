import { createHash } from "node:crypto";

/**
 * Returns the SHA-256 hash of the concatenated contents in base64url, the
 * encoding of hashes in manifests.
 */
export function hash(...contents: readonly (string | Uint8Array)[]): string {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("base64url");
}

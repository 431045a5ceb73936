import { createHash } from "node:crypto";

/**
 * Returns 16 hexadecimal digits that identify a change. They depend on the
 * words only, so the change has the same fingerprint in every pair of
 * revisions that contains it.
 */
export function fingerprintOf(...words: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(words))
    .digest("hex")
    .slice(0, 16);
}

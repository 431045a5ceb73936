import { createHash } from "node:crypto";

/**
 * Returns 16 hexadecimal digits that identify a change. The digits depend only
 * on the given strings, so a change has the same fingerprint in all revisions.
 */
export function fingerprintOf(...words: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(words))
    .digest("hex")
    .slice(0, 16);
}

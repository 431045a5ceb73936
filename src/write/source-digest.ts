import { hash } from "../platform/hash.js";

/**
 * Returns the digest of a document, the key of its cached output. Documents with
 * the same digest must produce the same output; a different digest only causes
 * rendering.
 */
export function sourceDigest(bytes: Uint8Array): string {
  return hash(bytes);
}

import { hash } from "../platform/hash.js";

/**
 * Returns the digest of a document, which identifies the document's output in
 * the cache. Documents with the same digest must produce the same output.
 * Equivalent documents can have different digests, but then their output is not
 * reused.
 */
export function sourceDigest(bytes: Uint8Array): string {
  return hash(bytes);
}

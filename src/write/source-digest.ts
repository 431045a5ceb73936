import { hash } from "../platform/hash.js";

/**
 * Returns the digest of a document, by which its output is cached. Documents
 * with the same digest must produce the same output. If equivalent documents
 * have different digests, they are only generated again.
 */
export function sourceDigest(bytes: Uint8Array): string {
  return hash(bytes);
}

import { hash } from "../platform/hash.js";

/**
 * Digest of a document, by which its earlier output is found. Documents of the
 * same digest must give the same output; those of another digest are rendered,
 * which costs time and changes nothing.
 */
export function sourceDigest(bytes: Uint8Array): string {
  return hash(bytes);
}

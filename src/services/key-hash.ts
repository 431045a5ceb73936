import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Creates an API key with 256 random bits. */
export function randomKey(prefix: string): string {
  return prefix + randomBytes(32).toString("base64url");
}

/**
 * Returns the SHA-256 of an API key in hexadecimal. No salt or slow hash is
 * needed, because a key has 256 random bits.
 */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * Length of a key's id in hexadecimal digits. The id is the start of the key's
 * hash.
 */
const ID_LENGTH = 16;

/** Returns the id of the API key with a hash. */
export function idOfHash(hash: string): string {
  return hash.slice(0, ID_LENGTH);
}

/** Compares hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

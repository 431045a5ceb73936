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

/**
 * Returns the hash in a text such as `sha256:62af…` of a config, in lower case;
 * undefined for other texts.
 */
export function hashIn(text: string): string | undefined {
  return /^sha256:([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase();
}

/**
 * Returns the entry with a hash. All entries are always compared, in constant
 * time, so that the response time does not reveal which entry matches.
 *
 * @param hash SHA-256 in hexadecimal
 */
export function entryWithHash<T extends { readonly hash: Uint8Array }>(
  hash: string,
  entries: readonly T[],
): T | undefined {
  const bytes = Buffer.from(hash, "hex");
  let match: T | undefined;
  for (const entry of entries)
    if (timingSafeEqual(bytes, entry.hash)) match = entry;
  return match;
}

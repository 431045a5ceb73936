/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Returns a random multipart boundary. It has 128 random bits, so that it
 * practically never occurs in content.
 */
export function randomBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(random, (byte) => (byte + 256).toString(16).slice(1)).join(
    "",
  );
}

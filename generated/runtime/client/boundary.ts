/* eslint-disable */
// biome-ignore-all lint: generated

/** Returns a multipart boundary of 128 random bits, which no content contains. */
export function randomBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(random, (byte) => (byte + 256).toString(16).slice(1)).join(
    "",
  );
}

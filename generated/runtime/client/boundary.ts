/* eslint-disable */
// biome-ignore-all lint: generated

/** Text that no content has: 128 random bits. */
export function randomBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(random, (byte) => (byte + 256).toString(16).slice(1)).join(
    "",
  );
}

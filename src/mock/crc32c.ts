/** Remainders of one byte (Castagnoli, reflected). */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++)
    rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest;
});

/** Returns the CRC32C of bytes as base64, big-endian. */
export function crc32c(bytes: Uint8Array): string {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255]! ^ (rest >>> 8);
  const result = Buffer.alloc(4);
  result.writeUInt32BE(~rest >>> 0);
  return result.toString("base64");
}

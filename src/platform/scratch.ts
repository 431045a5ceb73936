import { readSync } from "node:fs";

/** Initial size in bytes; most files are smaller. */
const SIZE = 1 << 18;

/** Largest size in bytes that is retained between files. */
const RETAINED = 1 << 23;

let scratch: Buffer = Buffer.alloc(0);

/**
 * Reads the rest of an open file into a buffer that the next call overwrites.
 * Thousands of files are compared by their hashes; a buffer for each would cause
 * more garbage collection than the comparison takes.
 * @param size expected size in bytes
 */
export function readScratch(descriptor: number, size: number): Buffer {
  let buffer = scratch;
  let length = 0;
  for (;;) {
    if (buffer.length < Math.max(size, length) + 1)
      buffer = grown(buffer, Math.max(size, length, SIZE), length);
    const count = readSync(
      descriptor,
      buffer,
      length,
      buffer.length - length,
      null,
    );
    length += count;
    // Files of special file systems have the size 0 whatever they contain.
    if (count === 0 || (length === size && size > 0)) break;
  }
  if (buffer.length <= RETAINED) scratch = buffer;
  return buffer.subarray(0, length);
}

/** Returns a buffer with more than twice the bytes, and the same start. */
function grown(buffer: Buffer, size: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size * 2 + 1);
  buffer.copy(larger, 0, 0, length);
  return larger;
}

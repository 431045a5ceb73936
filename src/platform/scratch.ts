import { readSync } from "node:fs";

/** Initial size of the buffer in bytes. Most files are smaller. */
const SIZE = 1 << 18;

/** Maximum size in bytes of a buffer that is retained for the next file. */
const RETAINED = 1 << 23;

let scratch: Buffer = Buffer.alloc(0);

/**
 * Reads the rest of an open file into a shared buffer, which the next call
 * overwrites. Thousands of files are compared by their hashes; with a separate
 * buffer for each file, garbage collection would take longer than the
 * comparison.
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
    // If the reported size is 0, reading continues to the end of the file,
    // because files of special file systems report 0 even if they have content.
    if (count === 0 || (length === size && size > 0)) break;
  }
  if (buffer.length <= RETAINED) scratch = buffer;
  return buffer.subarray(0, length);
}

/**
 * Copies the content of a buffer to a new buffer of more than twice the size.
 */
function grown(buffer: Buffer, size: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size * 2 + 1);
  buffer.copy(larger, 0, 0, length);
  return larger;
}

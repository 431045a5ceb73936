import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";

/** Largest input that is read, in bytes: sixteen times the largest real one. */
export const MAX_BYTES: number = 64 * 1024 * 1024;

/** How long a pipe may be without a writer before it counts as empty, in ms. */
const PATIENCE = 1000;

/** Thrown for an input over MAX_BYTES; the message says how much was seen. */
export class TooLargeError extends Error {}

/** Reads a file or a pipe, up to the limit. Throws what the file system throws. */
export function readFileLimited(file: string): Buffer {
  refuse(statSync(file));
  // A pipe without a writer would block the opening for ever.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    refuse(stats);
    if (stats.size > MAX_BYTES)
      throw new TooLargeError(`it has ${stats.size} bytes`);
    return stats.isFile()
      ? readFileSync(descriptor)
      : readLimited(descriptor, PATIENCE);
  } finally {
    closeSync(descriptor);
  }
}

/** Devices may have no end, or do something when they are read. */
function refuse(stats: Stats): void {
  if (stats.isDirectory()) throw new Error("is a folder");
  if (!stats.isFile() && !stats.isFIFO())
    throw new Error("is neither a file nor a pipe");
}

/** Reads standard input to its end, or to the limit. */
export function readStandardInput(): Buffer {
  if (fstatSync(0).isDirectory()) throw new Error("is a folder");
  return readLimited(0, 0);
}

/** @param patience milliseconds to wait for the first byte of a pipe */
function readLimited(descriptor: number, patience: number): Buffer {
  const chunks: Buffer[] = [];
  const end = Date.now() + patience;
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const size = readSome(descriptor, chunk);
    if (size === 0 && (total > 0 || Date.now() >= end))
      return Buffer.concat(chunks, total);
    if (size === 0) pause();
    else chunks.push(chunk.subarray(0, size));
    total += size;
    if (total > MAX_BYTES)
      throw new TooLargeError("it does not end before that");
  }
}

/** One blocking read; a terminal or pipe set to non-blocking is asked again. */
function readSome(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}

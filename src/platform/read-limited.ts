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

/**
 * Maximum size of an input in bytes: 16 times the size of the largest public
 * document.
 */
export const MAX_BYTES: number = 64 * 1024 * 1024;

/** Time to wait for the first byte from a pipe, in milliseconds. */
const PIPE_TIMEOUT = 1000;

/** Error for an input of more than MAX_BYTES bytes. */
export class TooLargeError extends Error {}

/** Reads a file or a pipe, up to MAX_BYTES. Throws file system errors. */
export function readFileLimited(file: string): Buffer {
  refuseSpecial(statSync(file));
  // Without O_NONBLOCK, opening a pipe that has no writer would block forever.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    refuseSpecial(stats);
    if (stats.size > MAX_BYTES)
      throw new TooLargeError(
        `the size is ${stats.size} bytes, but the limit is ${MAX_BYTES} bytes`,
      );
    return stats.isFile()
      ? readFileSync(descriptor)
      : readLimited(descriptor, PIPE_TIMEOUT);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Throws for folders and devices. Reading a device can block forever or have
 * side effects.
 */
function refuseSpecial(stats: Stats): void {
  if (stats.isDirectory()) throw new Error("is a folder");
  if (!stats.isFile() && !stats.isFIFO())
    throw new Error("the path is neither a file nor a pipe");
}

/** Reads standard input up to the limit. */
export function readStandardInput(): Buffer {
  if (fstatSync(0).isDirectory()) throw new Error("is a folder");
  return readLimited(0, 0);
}

/** @param timeout milliseconds to wait for the first byte from a pipe */
function readLimited(descriptor: number, timeout: number): Buffer {
  const chunks: Buffer[] = [];
  const end = Date.now() + timeout;
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const size = readNext(descriptor, chunk);
    if (size === 0 && (total > 0 || Date.now() >= end))
      return Buffer.concat(chunks, total);
    if (size === 0) pause();
    else chunks.push(chunk.subarray(0, size));
    total += size;
    if (total > MAX_BYTES)
      throw new TooLargeError(
        `the size exceeds the limit of ${MAX_BYTES} bytes`,
      );
  }
}

/**
 * Reads the next bytes. Retries while a non-blocking terminal or pipe has no
 * data.
 */
function readNext(descriptor: number, chunk: Buffer): number {
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

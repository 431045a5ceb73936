import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";

/** Maximum size in bytes of a file that is read from an output folder. */
export const MAX_PLAIN_BYTES: number = 64 * 1024 * 1024;

// The constants default to 0, because Windows defines neither O_NOFOLLOW nor
// O_NONBLOCK.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Reads a regular file. Returns undefined for links, pipes, devices, folders
 * and files over the size limit, without opening them. Throws file system
 * errors, also for a missing file.
 */
export function readPlainFile(
  file: string,
  limit: number = MAX_PLAIN_BYTES,
): Buffer | undefined {
  const stats = lstatSync(file);
  return stats.isFile() && stats.size <= limit
    ? readUnlinked(file, limit, readWhole)
    : undefined;
}

/**
 * Reads a file that was a regular file when it was last checked. Returns
 * undefined if the path no longer refers to a regular file or if the file is
 * too large.
 * @param read function that reads the open file
 */
export function readUnlinked<T>(
  file: string,
  limit: number,
  read: (descriptor: number, size: number) => T,
): T | undefined {
  return readIf(file, ({ size }) => size <= limit, read);
}

/**
 * Reads a regular file if its stats fulfill a condition. The stats are those of
 * the open file, so that the file can't be replaced between test and reading.
 * Returns undefined for other files. Throws file system errors, also for links
 * except on Windows.
 * @param read function that reads the open file
 */
export function readIf<T>(
  file: string,
  isAccepted: (stats: Stats) => boolean,
  read: (descriptor: number, size: number) => T,
): T | undefined {
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && isAccepted(stats)
      ? read(descriptor, stats.size)
      : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function readWhole(descriptor: number): Buffer {
  return readFileSync(descriptor);
}

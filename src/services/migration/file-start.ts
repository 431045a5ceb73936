import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Maximum number of bytes that are read. Git's own files are shorter. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads the first 64 KiB of a file in a repository; returns undefined if it is
 * not a regular file. Links are not followed, because they could lead out of
 * the root folder. Pipes are not read, because reading a pipe could block. In
 * contrast to `platform/plain-file.ts`, this function is asynchronous and
 * accepts larger files.
 */
export async function readFileStart(file: string): Promise<string | undefined> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  const handle = await open(file, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES);
    const { bytesRead } = await handle.read(bytes, 0, MAX_BYTES, 0);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

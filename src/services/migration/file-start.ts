import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Bytes of a file that are looked at; git's own are shorter. */
const MOST = 64 * 1024;

/**
 * The start of a file in a repository, at most 64 KiB; undefined where there is
 * none. A link could lead out of the root, and reading a pipe would never end.
 */
export async function readPlain(file: string): Promise<string | undefined> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  const handle = await open(file, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const bytes = Buffer.alloc(MOST);
    const { bytesRead } = await handle.read(bytes, 0, MOST, 0);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statfsSync,
} from "node:fs";
import path from "node:path";

/** Folder of Linux whose files are in memory. */
const MEMORY = "/dev/shm";

/** Free space in bytes for the output of all documents; containers often have 64 MiB. */
const NEEDED = 6 * 1024 ** 3;

/**
 * Sets the folder of temporary files to one in memory, if there is one and TMPDIR is
 * not set: writing durably to a disk takes more time than the tests themselves.
 */
export default function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !hasSpace()) return undefined;
  const folder = mkdtempSync(path.join(MEMORY, "gen-tests-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > NEEDED;
}

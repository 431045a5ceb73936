import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its parents. The recursive mkdir of Node.js is not used,
 * because it hides the reason for a failure, and never returns if the creation
 * of a parent fails with ENOENT.
 * @param mode permissions of new folders, before the umask is applied
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === "ENOENT" && parent !== folder) {
      makeFolder(parent, mode);
      mkdirSync(folder, { mode });
    } else if (!isFolder(folder)) throw error;
  }
}

/**
 * Tests whether a path is a folder. Follows symbolic links, because `--out` and
 * its parents can be links.
 */
function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

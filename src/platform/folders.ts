import { mkdirSync, rmdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its parents. The recursive mkdir of Node.js is not used,
 * because it hides the reason for a failure, and never returns if the creation
 * of a parent fails with ENOENT.
 * @param mode permissions of new folders, before the umask is applied
 * @returns the folders that were created, parents first
 */
export function makeFolder(folder: string, mode = 0o777): string[] {
  try {
    mkdirSync(folder, { mode });
    return [folder];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === "ENOENT" && parent !== folder) {
      const parents = makeFolder(parent, mode);
      mkdirSync(folder, { mode });
      return [...parents, folder];
    }
    if (!isFolder(folder)) throw error;
    return [];
  }
}

/** Removes those of the folders that are empty; `folders` has parents first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  try {
    for (const folder of [...folders].reverse()) rmdirSync(folder);
  } catch {
    // The folder is not empty, or was removed by another program.
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

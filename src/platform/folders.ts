import { mkdirSync, rmdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its parents. The recursive mkdir of Node.js is not used,
 * because it hides the reason for a failure, and never returns if the creation
 * of a parent fails with ENOENT. On failure, removes the folders that it created.
 * @param mode permissions of new folders, before the umask is applied
 * @returns the folders that were created, parents first
 */
export function makeFolder(folder: string, mode = 0o777): string[] {
  const created: string[] = [];
  try {
    addFolder(folder, mode, created, true);
  } catch (error) {
    removeIfEmpty(created);
    throw error;
  }
  return created;
}

function addFolder(
  folder: string,
  mode: number,
  created: string[],
  addsParents: boolean,
): void {
  try {
    mkdirSync(folder, { mode });
    created.push(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === "ENOENT" && parent !== folder && addsParents) {
      addFolder(parent, mode, created, true);
      addFolder(folder, mode, created, false);
    } else if (!isFolder(folder)) throw error;
  }
}

/**
 * Removes folders, the last one first, up to the first one that can't be removed
 * because it is not empty.
 */
export function removeIfEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    }
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

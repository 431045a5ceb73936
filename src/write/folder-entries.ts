import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Dirent,
} from "node:fs";
import path from "node:path";
import { removeIfEmpty } from "../platform/folders.js";

/**
 * Creates a folder and copies the permissions of a source folder, if it exists.
 * The umask does not apply to copied permissions.
 * @returns true if the source folder exists
 */
export function makeFolderLike(source: string, target: string): boolean {
  mkdirSync(target);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  chmodSync(target, stats.mode & 0o7777);
  return true;
}

/**
 * Returns the entries of a folder; an empty list if the folder does not exist.
 */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Removes a folder and then its parents below a root folder, up to the first
 * folder that is not empty.
 */
export function removeEmptyFolders(root: string, relative: string): void {
  const folders: string[] = [];
  for (
    let current = relative;
    current !== "." && current !== "";
    current = path.dirname(current)
  )
    folders.unshift(path.join(root, current));
  removeIfEmpty(folders);
}

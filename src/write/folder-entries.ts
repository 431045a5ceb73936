import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  type Dirent,
} from "node:fs";
import path from "node:path";

/** A folder with the permissions of another, if that is there, whatever the umask. */
export function makeFolderLike(source: string, target: string): void {
  mkdirSync(target);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) chmodSync(target, stats.mode & 0o7777);
}

/** Entries of a folder; none where it is absent. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Removes a folder and those above it while they are empty, up to a root. */
export function removeEmptyFolders(root: string, relative: string): void {
  for (
    let current = relative;
    current !== "." && current !== "";
    current = path.dirname(current)
  ) {
    try {
      rmdirSync(path.join(root, current));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    }
  }
}

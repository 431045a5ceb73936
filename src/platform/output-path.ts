import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { isWithin } from "./paths.js";

/**
 * Throws if writing a file could change another file: if the path is a link,
 * pipe or device, or if a link in the path leads out of the working directory. A
 * cloned repository can contain such links.
 */
export function refuseStray(file: string, cwd: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile())
    throw new Error(
      `${file} must be a regular file, found ${stats.isSymbolicLink() ? "a link" : "another kind of file"}`,
    );
  if (!isWithin(cwd, file)) return;
  const folder = existingFolder(path.dirname(file));
  if (!isWithin(realpathSync(cwd), folder))
    throw new Error(
      `${file} must be in the working directory, but a link leads to ${folder}`,
    );
}

/**
 * Returns the real path of a folder or, if the folder does not exist, of its
 * nearest existing parent.
 */
function existingFolder(folder: string): string {
  const exists = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  const parent = path.dirname(folder);
  return exists || parent === folder
    ? realpathSync(folder)
    : existingFolder(parent);
}

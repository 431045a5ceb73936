import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/**
 * Throws if writing a file could change another file: if the path is a link,
 * pipe or device, or if a link in the path leads out of the working folder. A
 * cloned repository can contain such links.
 */
export function refuseStray(file: string, cwd: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile())
    throw new Error(
      `${file} must be a regular file, found ${stats.isSymbolicLink() ? "a link" : "another kind of file"}`,
    );
  if (!isBelow(cwd, file)) return;
  const folder = realFolder(path.dirname(file));
  if (!isBelow(realpathSync(cwd), folder))
    throw new Error(
      `${file} must be in the working folder, but a link leads to ${folder}`,
    );
}

/** Returns the real path of the nearest existing folder of a path. */
function realFolder(folder: string): string {
  const exists = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  const parent = path.dirname(folder);
  return exists || parent === folder
    ? realpathSync(folder)
    : realFolder(parent);
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}

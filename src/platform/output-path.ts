import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/**
 * Throws where writing a file would change something elsewhere: the file is a
 * link, pipe or device, or a folder on the way from the working folder to it
 * is a link that leads out of the working folder. A repository can bring such
 * links along under any name.
 */
export function refuseStray(file: string, cwd: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile())
    throw new Error(
      `${file} must be a file, but is ${stats.isSymbolicLink() ? "a link" : "something else"}`,
    );
  if (!isBelow(cwd, file)) return;
  const folder = realFolder(path.dirname(file));
  if (!isBelow(realpathSync(cwd), folder))
    throw new Error(
      `${file} must be in the working folder, but a link leads to ${folder}`,
    );
}

/** Real path of the nearest folder above that exists. */
function realFolder(folder: string): string {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  const parent = path.dirname(folder);
  return isThere || parent === folder
    ? realpathSync(folder)
    : realFolder(parent);
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}

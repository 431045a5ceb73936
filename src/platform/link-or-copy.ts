import { constants, copyFileSync, linkSync } from "node:fs";

/**
 * Gives a file a second name; copies it on file systems without hard links.
 * Throws what the file system throws, EEXIST if the name is taken.
 */
export function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") throw error;
    copyFileSync(source, target, constants.COPYFILE_EXCL);
  }
}

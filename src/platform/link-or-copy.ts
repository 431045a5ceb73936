import { constants, copyFileSync, linkSync } from "node:fs";

/**
 * Creates a hard link to a file, or a copy on file systems without hard links.
 * Throws file system errors, such as EEXIST if the target exists.
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

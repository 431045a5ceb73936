import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/** Replaces the system's path separators with forward slashes. */
export function toPosix(name: string): string {
  return path.sep === "/" ? name : name.split(path.sep).join("/");
}

/**
 * Tests whether a path is equal to or below the path of a folder. Links are not
 * resolved.
 */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}

/**
 * Returns the real path of a folder; the last segments of the path need not
 * exist.
 */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder
      ? folder
      : path.join(realFolder(parent), path.basename(folder));
  }
}

/**
 * Tests whether a path exists. A broken link counts as existing. Throws file
 * system errors.
 */
export function entryExists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

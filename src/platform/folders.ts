import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it. Node's own recursive way hides the reason
 * of a refusal, and runs for ever where a parent refuses with "no such file".
 * @param mode permissions of the folders that are made, before the umask
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(folder);
    if (code === "ENOENT" && parent !== folder) {
      makeFolder(parent, mode);
      mkdirSync(folder, { mode });
    } else if (!isFolder(folder)) throw error;
  }
}

/** Of what is there: --out itself, and what lies above it, may be a link. */
function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

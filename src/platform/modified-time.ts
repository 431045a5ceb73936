import { statSync } from "node:fs";

/** Returns the mtime of a file in milliseconds; 0 if the file is missing. */
export function modifiedTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

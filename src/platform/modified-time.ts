import { statSync } from "node:fs";

/**
 * Returns the time of the last modification of a file in milliseconds since
 * 1970; 0 if the file is missing.
 */
export function modifiedTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

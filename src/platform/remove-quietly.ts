import { rmSync } from "node:fs";

/** Removes a temporary file. Ignores errors. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A temporary file that remains has no effect.
  }
}

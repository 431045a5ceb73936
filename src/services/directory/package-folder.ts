import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Path of the directory's own description in the package. */
const DIRECTORY_SPEC = "specs/discovery.v1.json";

/**
 * Returns the folder with the API descriptions in this package. Searches the
 * parent folders of this file.
 *
 * @throws Error if the package is incomplete
 */
export function specsFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, DIRECTORY_SPEC))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error(`the package does not contain ${DIRECTORY_SPEC}`);
    folder = parent;
  }
  return path.join(folder, "specs");
}

import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The directory's own description, within the package. */
const OWN = "specs/discovery.v1.json";

/**
 * The folder of the package's own descriptions: beside the sources, or beside
 * the bundle that holds them.
 *
 * @throws Error where the package is not complete
 */
export function specsFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, OWN))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error(`the package lacks ${OWN}`);
    folder = parent;
  }
  return path.join(folder, "specs");
}

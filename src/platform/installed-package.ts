import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MissingPackageError } from "./optional-package.js";

export interface InstalledPackage<T> {
  readonly module: T;
  readonly version: string;
}

/**
 * Imports a package from the first of these folders in which it is installed,
 * otherwise from the folders of this package.
 * @throws MissingPackageError if the package is not installed
 */
export async function importInstalled<T>(
  name: string,
  purpose: string,
  folders: readonly string[],
): Promise<InstalledPackage<T>> {
  const files = folders.map((folder) => path.join(folder, "index.js"));
  for (const file of [...files, import.meta.url]) {
    const require = createRequire(file);
    try {
      require.resolve(name);
    } catch {
      continue; // not installed in this folder
    }
    const { href } = pathToFileURL(require.resolve(name));
    const module = (await import(href)) as T & { readonly default?: T };
    const { version } = require(`${name}/package.json`) as { version: string };
    return { module: module.default ?? module, version };
  }
  throw new MissingPackageError(name, purpose);
}

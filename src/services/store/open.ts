import path from "node:path";
import {
  loadWithPackage,
  MissingPackageError,
} from "../../platform/optional-package.js";
import { memoryStore } from "./memory.js";
import { StoreError, type Store } from "./store.js";

/**
 * Location of a store. If neither `data` nor `url` is set, the store is in
 * memory.
 */
export interface StoreLocation {
  /** Folder with the data of the services. */
  readonly data?: string | undefined;
  /** URL of a database, which takes precedence over the folder. */
  readonly url?: string | undefined;
}

/** @throws StoreError if the store can't be opened */
export async function openStore({ data, url }: StoreLocation): Promise<Store> {
  if (url !== undefined) {
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new StoreError(
        "unavailable",
        "the URL of the store must start with postgresql://",
      );
    const { postgresStore } = await requirePackage(
      "pg",
      "PostgreSQL",
      async () => {
        await import("pg");
        return import("./postgres.js");
      },
    );
    return postgresStore(url);
  }
  if (data === undefined) return memoryStore();
  const { levelStore } = await requirePackage(
    "classic-level",
    "A store in a folder",
    () => import("./level.js"),
  );
  return levelStore(path.join(data, "store"));
}

/** @throws StoreError if the package is not installed */
async function requirePackage<T>(
  name: string,
  purpose: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await loadWithPackage(name, purpose, load);
  } catch (error) {
    if (error instanceof MissingPackageError)
      throw new StoreError("unavailable", error.message);
    throw error;
  }
}

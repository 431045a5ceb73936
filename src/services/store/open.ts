import path from "node:path";
import {
  loadWithPackage,
  MissingPackageError,
} from "../../platform/optional-package.js";
import { memoryStore } from "./memory.js";
import { StoreError, type Store } from "./store.js";

/** Where a store is; in memory if nothing is said. */
export interface StorePlace {
  /** Folder of the services' data. */
  readonly data?: string | undefined;
  /** URL of a database, which goes before the folder. */
  readonly url?: string | undefined;
}

/** @throws StoreError where the store can't be opened. */
export async function openStore({ data, url }: StorePlace): Promise<Store> {
  if (url !== undefined) {
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new StoreError(
        "unavailable",
        "the URL of a store starts with postgresql://",
      );
    const { postgresStore } = await needing("pg", "PostgreSQL", async () => {
      await import("pg");
      return import("./postgres.js");
    });
    return postgresStore(url);
  }
  if (data === undefined) return memoryStore();
  const { levelStore } = await needing(
    "classic-level",
    "A store in a folder",
    () => import("./level.js"),
  );
  return levelStore(path.join(data, "store"));
}

/** @throws StoreError where the package is not installed. */
async function needing<T>(
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

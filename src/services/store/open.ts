import path from "node:path";
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
    const { postgresStore } = await import("./postgres.js");
    return postgresStore(url);
  }
  if (data === undefined) return memoryStore();
  const { levelStore } = await import("./level.js");
  return levelStore(path.join(data, "store"));
}

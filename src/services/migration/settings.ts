import { randomBytes } from "node:crypto";
import type { Store } from "../store/store.js";
import { TABLES } from "./records.js";

/**
 * Returns the ids of organizations, keyed by name in lower case. New
 * organizations are assigned an id.
 */
export function accountIds(
  store: Store,
  logins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return store.transaction(async (transaction) => {
    const ids = new Map<string, number>();
    for (const login of logins) {
      const stored = await transaction.get<number>(TABLES.accounts, login);
      const id = stored ?? (await transaction.nextId("account"));
      if (stored === undefined) transaction.put(TABLES.accounts, login, id);
      ids.set(login, id);
    }
    return ids;
  });
}

/**
 * Stores the identifier of the archive folder, unless the store already
 * contains one.
 *
 * @param id identifier of the folder
 * @returns stored identifier
 */
export function claimFolder(store: Store, id: string): Promise<string> {
  return store.transaction(async (transaction) => {
    const stored = await transaction.get<string>(TABLES.settings, "folder");
    if (stored === undefined) transaction.put(TABLES.settings, "folder", id);
    return stored ?? id;
  });
}

/** Returns the stored secret for signing URLs. It is generated on first use. */
export function storedSecret(store: Store): Promise<string> {
  const fresh = randomBytes(32).toString("hex");
  return store.transaction(async (transaction) => {
    const stored = await transaction.get<string>(TABLES.settings, "secret");
    if (stored === undefined) transaction.put(TABLES.settings, "secret", fresh);
    return stored ?? fresh;
  });
}

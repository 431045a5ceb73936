import { randomBytes } from "node:crypto";
import type { Store, Transaction } from "../store/store.js";
import { TABLES } from "./records.js";

/** The id after the one given last, from 1. */
export async function nextId(
  transaction: Transaction,
  kind: "account" | "migration" | "repository",
): Promise<number> {
  const key = `last-${kind}`;
  const id = ((await transaction.get<number>(TABLES.settings, key)) ?? 0) + 1;
  transaction.put(TABLES.settings, key, id);
  return id;
}

/** Ids of organizations by name in lower case; new ones get theirs now. */
export function accountIds(
  store: Store,
  logins: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return store.transaction(async (transaction) => {
    const ids = new Map<string, number>();
    for (const login of logins) {
      const known = await transaction.get<number>(TABLES.accounts, login);
      const id = known ?? (await nextId(transaction, "account"));
      if (known === undefined) transaction.put(TABLES.accounts, login, id);
      ids.set(login, id);
    }
    return ids;
  });
}

/**
 * The folder that has the archives of a store: the first one that was used with it.
 *
 * @param id the folder's identifier
 * @returns the identifier that the store has
 */
export function claimFolder(store: Store, id: string): Promise<string> {
  return store.transaction(async (transaction) => {
    const known = await transaction.get<string>(TABLES.settings, "folder");
    if (known === undefined) transaction.put(TABLES.settings, "folder", id);
    return known ?? id;
  });
}

/** The stored secret for signing URLs; made at random the first time. */
export function storedSecret(store: Store): Promise<string> {
  const fresh = randomBytes(32).toString("hex");
  return store.transaction(async (transaction) => {
    const known = await transaction.get<string>(TABLES.settings, "secret");
    if (known === undefined) transaction.put(TABLES.settings, "secret", fresh);
    return known ?? fresh;
  });
}

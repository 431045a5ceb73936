import { hashOf, idOfHash, isSameHash, randomKey } from "../key-hash.js";
import { AdminError } from "../service.js";
import type { StoreReader, Store, Transaction } from "../store/store.js";
import { tables } from "./data.js";

/** Stored data about an API key. The key itself is not stored. */
interface KeyRecord {
  readonly owner: string;
  /** SHA-256 of the key in hexadecimal. */
  readonly hash: string;
  readonly createdAt: string;
}

/** Start of each API key of the marketplace. */
const PREFIX = "mk_";

/** New API key. The key itself is shown only once. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** Returns the id of an API key, under which it can be revoked. */
export function keyIdOf(key: string): string {
  return idOfHash(hashOf(key));
}

/**
 * Returns the owner of an API key; undefined if the key is unknown or revoked.
 */
export async function ownerOf(
  store: StoreReader,
  key: string,
): Promise<string | undefined> {
  const hash = hashOf(key);
  const record = await store.get<KeyRecord>(tables.keys, idOfHash(hash));
  return record !== undefined && isSameHash(hash, record.hash)
    ? record.owner
    : undefined;
}

/** @throws AdminError if the owner does not exist */
export function createKey(
  store: Store,
  owner: string,
  createdAt: string,
): Promise<NewKey> {
  return store.transaction((tx) =>
    addKey(tx, owner, createdAt, randomKey(PREFIX)),
  );
}

/**
 * Creates a key. In the same transaction, revokes the owner's previous keys; if
 * `id` is passed, revokes only the key with this id.
 *
 * @throws AdminError if the owner or key does not exist
 */
export function rotateKey(
  store: Store,
  owner: string,
  id: string | undefined,
  createdAt: string,
): Promise<NewKey & { readonly revoked: readonly string[] }> {
  return store.transaction(async (tx) => {
    const revoked = await removeKeys(tx, owner, id);
    const created = await addKey(tx, owner, createdAt, randomKey(PREFIX));
    return { ...created, revoked };
  });
}

/**
 * Revokes all keys of an owner. If `id` is passed, revokes only the key with
 * this id.
 *
 * @returns ids of the revoked keys
 * @throws AdminError if the owner or key does not exist
 */
export function revokeKeys(
  store: Store,
  owner: string,
  id: string | undefined,
): Promise<readonly string[]> {
  return store.transaction((tx) => removeKeys(tx, owner, id));
}

/** Stores an API key with a given value. The owner must exist. */
export async function addKey(
  tx: Transaction,
  owner: string,
  createdAt: string,
  key: string,
): Promise<NewKey> {
  await requireOwner(tx, owner);
  const hash = hashOf(key);
  const id = idOfHash(hash);
  const record: KeyRecord = { owner, hash, createdAt };
  tx.put(tables.keys, id, record);
  tx.put(tables.keysByOwner, `${owner}/${id}`, true);
  return { id, key };
}

async function removeKeys(
  tx: Transaction,
  owner: string,
  id: string | undefined,
): Promise<readonly string[]> {
  await requireOwner(tx, owner);
  const prefix = `${owner}/`;
  const entries = await tx.list(tables.keysByOwner, { prefix });
  const ids = entries.map(({ key }) => key.slice(prefix.length));
  if (id !== undefined && !ids.includes(id))
    throw new AdminError(
      `'${owner}' has no key ${id}; keys: ${ids.join(", ") || "none"}`,
    );
  const revoked = id === undefined ? ids : [id];
  for (const revokedId of revoked) {
    tx.delete(tables.keys, revokedId);
    tx.delete(tables.keysByOwner, prefix + revokedId);
  }
  return revoked;
}

/** @throws AdminError if the owner does not exist */
export async function requireOwner(
  tx: StoreReader,
  owner: string,
): Promise<void> {
  if ((await tx.get(tables.owners, owner)) === undefined)
    throw new AdminError(
      `unknown owner '${owner}'; add owners with: gen marketplace owner add`,
    );
}

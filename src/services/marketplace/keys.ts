import { hashOf, idOfHash, isSameHash, randomKey } from "../key-hash.js";
import { AdminError } from "../service.js";
import type { StoreReader, Store, Transaction } from "../store/store.js";
import { tables } from "./data.js";

/** Stored data about an API key. The key itself is not stored. */
export interface KeyRecord {
  readonly owner: string;
  /** SHA-256 of the key in hexadecimal. */
  readonly hash: string;
  readonly createdAt: string;
  /** Time from which the key is invalid; absent if it does not expire. */
  readonly expiresAt?: string;
}

/** Start of each API key of the marketplace. */
const PREFIX = "mk_";

/** New API key. The key itself is shown only once. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/** Owner of a new key, and the times at which it is valid (ISO 8601). */
export interface NewKeyOptions {
  readonly owner: string;
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
}

/**
 * Returns the owner of the API key with a hash; undefined if the key is unknown,
 * revoked or expired.
 *
 * @param now current time in milliseconds since 1970
 */
export async function ownerOf(
  store: StoreReader,
  hash: string,
  now: number,
): Promise<string | undefined> {
  const record = await store.get<KeyRecord>(tables.keys, idOfHash(hash));
  if (record === undefined || !isSameHash(hash, record.hash)) return undefined;
  const { owner, expiresAt } = record;
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  return isExpired ? undefined : owner;
}

/** @throws AdminError if the owner does not exist, or the key would be expired */
export function createKey(
  store: Store,
  options: NewKeyOptions,
): Promise<NewKey> {
  checkExpiry(options);
  return store.transaction((tx) => addKey(tx, options, randomKey(PREFIX)));
}

/**
 * Creates a key. In the same transaction, revokes the owner's previous keys; if
 * `id` is passed, revokes only the key with this id.
 *
 * @throws AdminError if the owner or key does not exist, or the new key would be
 *   expired
 */
export function rotateKey(
  store: Store,
  id: string | undefined,
  options: NewKeyOptions,
): Promise<NewKey & { readonly revoked: readonly string[] }> {
  checkExpiry(options);
  return store.transaction(async (tx) => {
    const revoked = await removeKeys(tx, options.owner, id);
    const created = await addKey(tx, options, randomKey(PREFIX));
    return { ...created, revoked };
  });
}

function checkExpiry({ createdAt, expiresAt }: NewKeyOptions): void {
  if (expiresAt !== undefined && expiresAt <= createdAt)
    throw new AdminError("expires_at must be in the future");
}

/**
 * Changes the expiry of a key.
 *
 * @param expiresAt undefined for a key that does not expire
 * @returns record before the change
 * @throws AdminError if the owner or key does not exist
 */
export function changeExpiry(
  store: Store,
  owner: string,
  id: string,
  expiresAt: string | undefined,
): Promise<KeyRecord> {
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    const record = await tx.get<KeyRecord>(tables.keys, id);
    if (record?.owner !== owner)
      throw new AdminError(`'${owner}' has no key ${id}`, [], 404);
    const { expiresAt: _, ...rest } = record;
    const changed = expiresAt === undefined ? rest : { ...rest, expiresAt };
    tx.put(tables.keys, id, changed satisfies KeyRecord);
    return record;
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
  { owner, createdAt, expiresAt }: NewKeyOptions,
  key: string,
): Promise<NewKey> {
  await requireOwner(tx, owner);
  const hash = hashOf(key);
  const id = idOfHash(hash);
  const times = {
    createdAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const record: KeyRecord = { owner, hash, ...times };
  tx.put(tables.keys, id, record);
  tx.put(tables.keysByOwner, `${owner}/${id}`, true);
  return { id, key, ...times };
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
      [],
      404,
    );
  const revoked = id === undefined ? ids : [id];
  for (const revokedId of revoked) {
    tx.delete(tables.keys, revokedId);
    tx.delete(tables.keyUses, revokedId);
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
      [],
      404,
    );
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { AdminError } from "../service.js";
import type { Reader, Store, Transaction } from "../store/store.js";
import { tables } from "./data.js";

/** What is kept of an API key: never the key itself. */
interface KeyRecord {
  readonly owner: string;
  /** SHA-256 of the key, in hex. The key has 256 random bits: no salt, no slow hash is needed. */
  readonly hash: string;
  readonly createdAt: string;
}

/** A key that was just made; nobody can show it again. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** Hex digits of a key's id, the start of its hash: found by it, compared as a whole. */
const ID = 16;

/** The owner of an API key; undefined for a key that does not work (any more). */
export async function ownerOf(
  store: Reader,
  key: string,
): Promise<string | undefined> {
  const hash = hashOf(key);
  const record = await store.get<KeyRecord>(tables.keys, hash.slice(0, ID));
  if (record === undefined) return undefined;
  const isSame = timingSafeEqual(Buffer.from(hash), Buffer.from(record.hash));
  return isSame ? record.owner : undefined;
}

/** @throws AdminError where there is no such owner */
export function createKey(
  store: Store,
  owner: string,
  createdAt: string,
): Promise<NewKey> {
  return store.transaction((tx) => addKey(tx, owner, createdAt, randomKey()));
}

/**
 * Makes a new key, and the owner's old ones (or only the one that is named)
 * stop working in the same instant: who has the answer can be sure.
 *
 * @throws AdminError where there is no such owner or key
 */
export function rotateKey(
  store: Store,
  owner: string,
  id: string | undefined,
  createdAt: string,
): Promise<NewKey> {
  return store.transaction(async (tx) => {
    await removeKeys(tx, owner, id);
    return addKey(tx, owner, createdAt, randomKey());
  });
}

/**
 * Ends keys.
 *
 * @returns ids of the keys that work no longer
 * @throws AdminError where there is no such owner or key
 */
export function revokeKeys(
  store: Store,
  owner: string,
  id: string | undefined,
): Promise<readonly string[]> {
  return store.transaction((tx) => removeKeys(tx, owner, id));
}

/** A key that the caller chose, for demonstrations; the owner is there. */
export async function addKey(
  tx: Transaction,
  owner: string,
  createdAt: string,
  key: string,
): Promise<NewKey> {
  await requireOwner(tx, owner);
  const hash = hashOf(key);
  const id = hash.slice(0, ID);
  const record: KeyRecord = { owner, hash, createdAt };
  tx.put(tables.keys, id, record);
  tx.put(tables.keysOf, `${owner}/${id}`, true);
  return { id, key };
}

async function removeKeys(
  tx: Transaction,
  owner: string,
  id: string | undefined,
): Promise<readonly string[]> {
  await requireOwner(tx, owner);
  const start = `${owner}/`;
  const all = await tx.list(tables.keysOf, { prefix: start });
  const ids = all.map(({ key }) => key.slice(start.length));
  if (id !== undefined && !ids.includes(id))
    throw new AdminError(
      `'${owner}' has no key ${id}; it has: ${ids.join(", ") || "none"}`,
    );
  const ended = id === undefined ? ids : [id];
  for (const one of ended) {
    tx.delete(tables.keys, one);
    tx.delete(tables.keysOf, start + one);
  }
  return ended;
}

/** @throws AdminError where there is no such owner */
export async function requireOwner(tx: Reader, owner: string): Promise<void> {
  if ((await tx.get(tables.owners, owner)) === undefined)
    throw new AdminError(
      `there is no owner '${owner}'; see: gen marketplace owner add`,
    );
}

function randomKey(): string {
  return `mk_${randomBytes(32).toString("base64url")}`;
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

import type { StoreReader, Store } from "../store/store.js";
import {
  memberSelection,
  recordOf,
  relations,
  type Row,
} from "../store/relations.js";
import {
  itemKey,
  purchaseKey,
  tables,
  type Owner,
  type StoredItem,
  type StoredPurchase,
} from "./data.js";
import { hashOf, idOfHash, isSameHash } from "../key-hash.js";
import { ownerOf } from "./keys.js";

/**
 * Reads for the API. Each read begins with an API key; the result is undefined
 * if the key is unknown, revoked or expired, or its owner is suspended.
 */
export interface MarketplaceReads {
  account(key: string): Promise<Found<{ account: Owner }> | undefined>;
  /** Returns the version number of the owner's items. */
  version(key: string): Promise<Found<{ version: number }> | undefined>;
  item(
    key: string,
    id: number,
  ): Promise<Found<{ item: StoredItem | undefined }> | undefined>;
  /** Returns a purchase and its item. */
  purchase(
    key: string,
    code: string,
  ): Promise<Found<Partial<PurchasedItem>> | undefined>;
}

interface PurchasedItem {
  readonly purchase: StoredPurchase | undefined;
  readonly item: StoredItem | undefined;
}

/** Caller with a valid API key. */
export interface Caller {
  /** User name of the owner of the key. */
  readonly owner: string;
  readonly keyId: string;
}

type Found<T> = Readonly<T> & { readonly caller: Caller };

/**
 * Returns reads that use one query each if the store is a database.
 *
 * @param now returns the current time in milliseconds since 1970; a database
 *   uses its own clock
 */
export function readsOf(store: Store, now: () => number): MarketplaceReads {
  const { rows } = store;
  return rows === undefined ? recordReads(store, now) : joinedReads(rows);
}

function recordReads(store: StoreReader, now: () => number): MarketplaceReads {
  /**
   * Returns the account of a key's owner and the result of another read for
   * this owner, which is made at the same time as the read of the account.
   */
  const find = async <T>(
    key: string,
    read: (owner: string) => Promise<T>,
  ): Promise<Found<{ account: Owner; value: T }> | undefined> => {
    const hash = hashOf(key);
    const owner = await ownerOf(store, hash, now());
    if (owner === undefined) return undefined;
    const [account, value] = await Promise.all([
      store.get<Owner>(tables.owners, owner),
      read(owner),
    ]);
    if (account === undefined || account.suspendedAt !== undefined)
      return undefined;
    return { caller: { owner, keyId: idOfHash(hash) }, account, value };
  };
  const findItem = async (
    owner: string,
    id: number,
  ): Promise<StoredItem | undefined> => {
    const key = itemKey(owner, id);
    return key === undefined
      ? undefined
      : store.get<StoredItem>(tables.items, key);
  };
  return {
    account: (key) => find(key, async () => {}),
    async version(key) {
      const found = await find(key, (owner) =>
        store.get<number>(tables.versions, owner),
      );
      return found && { caller: found.caller, version: found.value ?? 0 };
    },
    async item(key, id) {
      const found = await find(key, (owner) => findItem(owner, id));
      return found && { caller: found.caller, item: found.value };
    },
    async purchase(key, code) {
      const found = await find(key, (owner) =>
        store.get<StoredPurchase>(tables.purchases, purchaseKey(owner, code)),
      );
      if (found === undefined) return undefined;
      const { caller, value: purchase } = found;
      const item = purchase && (await findItem(caller.owner, purchase.itemId));
      return { caller, purchase, item };
    },
  };
}

const owners = relations[tables.owners]!;
const items = relations[tables.items]!;
const purchases = relations[tables.purchases]!;

/** Valid key with the id $1, and its owner unless the owner is suspended. */
const KEY = `gen_keys k
  JOIN gen_owners o ON o.username = k.owner AND o.suspended_at IS NULL`;
const IS_VALID = "k.id = $1 AND (k.expires_at IS NULL OR k.expires_at > now())";

const ACCOUNT = `SELECT k.owner, k.hash, ${memberSelection(owners, "o")}
  FROM ${KEY} WHERE ${IS_VALID}`;

const VERSION = `SELECT k.owner, k.hash, coalesce(v.version, 0) AS version
  FROM ${KEY} LEFT JOIN gen_item_versions v ON v.owner = k.owner
  WHERE ${IS_VALID}`;

const ITEM = `SELECT k.owner, k.hash, ${memberSelection(items, "i")}
  FROM ${KEY} LEFT JOIN gen_items i ON i.owner = k.owner AND i.id = $2
  WHERE ${IS_VALID}`;

const PURCHASE = `SELECT k.owner, k.hash, ${memberSelection(purchases, "p")}, ${memberSelection(items, "i")}
  FROM ${KEY}
  LEFT JOIN gen_purchases p ON p.owner = k.owner AND p.code = $2
  LEFT JOIN gen_items i ON i.owner = p.owner AND i.id = p.item_id
  WHERE ${IS_VALID}`;

/** Row of a query that begins with an API key. */
interface KeyRow {
  readonly owner: string;
  readonly hash: string;
  readonly version: string;
}

function joinedReads(rows: NonNullable<Store["rows"]>): MarketplaceReads {
  const find = async (
    text: string,
    key: string,
    ...values: unknown[]
  ): Promise<Found<{ row: KeyRow & Row }> | undefined> => {
    const hash = hashOf(key);
    const keyId = idOfHash(hash);
    const [row] = await rows<KeyRow & Row>(text, [keyId, ...values]);
    return row !== undefined && isSameHash(hash, row.hash)
      ? { caller: { owner: row.owner, keyId }, row }
      : undefined;
  };
  return {
    async account(key) {
      const found = await find(ACCOUNT, key);
      if (found === undefined) return undefined;
      const { caller, row } = found;
      return { caller, account: recordOf<Owner>(owners, row, "o.") };
    },
    async version(key) {
      const found = await find(VERSION, key);
      return (
        found && { caller: found.caller, version: Number(found.row.version) }
      );
    },
    async item(key, id) {
      // Ids that no item can have are outside of the range of a bigint.
      const found = await find(ITEM, key, Number.isSafeInteger(id) ? id : 0);
      return found && { caller: found.caller, item: itemOf(found.row) };
    },
    async purchase(key, code) {
      // A text of PostgreSQL can't contain NUL; no purchase has this code.
      const found = await find(PURCHASE, key, code.includes("\0") ? "" : code);
      if (found === undefined) return undefined;
      const { caller, row } = found;
      const purchase =
        row["p.code"] === null
          ? undefined
          : recordOf<StoredPurchase>(purchases, row, "p.");
      return { caller, purchase, item: itemOf(row) };
    },
  };
}

function itemOf(row: Row): StoredItem | undefined {
  return row["i.id"] === null
    ? undefined
    : recordOf<StoredItem>(items, row, "i.");
}

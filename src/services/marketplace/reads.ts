import type { StoreReader, Store } from "../store/store.js";
import {
  recordOf,
  relations,
  selection,
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
 * if the key is unknown, revoked or expired, or its owner is suspended. `owner`
 * is the user name of its owner.
 */
export interface MarketplaceReads {
  account(key: string): Promise<Owner | undefined>;
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

type Found<T> = Readonly<T> & { readonly owner: string };

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
   * Returns the owner of a key and the result of another read for this owner,
   * which is made at the same time as the read of the owner.
   */
  const find = async <T>(
    key: string,
    read: (owner: string) => Promise<T>,
  ): Promise<{ readonly owner: Owner; readonly value: T } | undefined> => {
    const username = await ownerOf(store, key, now());
    if (username === undefined) return undefined;
    const [owner, value] = await Promise.all([
      store.get<Owner>(tables.owners, username),
      read(username),
    ]);
    return owner === undefined || owner.suspendedAt !== undefined
      ? undefined
      : { owner, value };
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
    async account(key) {
      return (await find(key, async () => {}))?.owner;
    },
    async version(key) {
      const found = await find(key, (owner) =>
        store.get<number>(tables.versions, owner),
      );
      return (
        found && { owner: found.owner.username, version: found.value ?? 0 }
      );
    },
    async item(key, id) {
      const found = await find(key, (owner) => findItem(owner, id));
      return found && { owner: found.owner.username, item: found.value };
    },
    async purchase(key, code) {
      const found = await find(key, (owner) =>
        store.get<StoredPurchase>(tables.purchases, purchaseKey(owner, code)),
      );
      if (found === undefined) return undefined;
      const { owner, value: purchase } = found;
      const item =
        purchase && (await findItem(owner.username, purchase.itemId));
      return { owner: owner.username, purchase, item };
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

const ACCOUNT = `SELECT k.owner, k.hash, ${selection(owners, "o")}
  FROM ${KEY} WHERE ${IS_VALID}`;

const VERSION = `SELECT k.owner, k.hash, coalesce(v.version, 0) AS version
  FROM ${KEY} LEFT JOIN gen_item_versions v ON v.owner = k.owner
  WHERE ${IS_VALID}`;

const ITEM = `SELECT k.owner, k.hash, ${selection(items, "i")}
  FROM ${KEY} LEFT JOIN gen_items i ON i.owner = k.owner AND i.id = $2
  WHERE ${IS_VALID}`;

const PURCHASE = `SELECT k.owner, k.hash, ${selection(purchases, "p")}, ${selection(items, "i")}
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
  ): Promise<(KeyRow & Row) | undefined> => {
    const hash = hashOf(key);
    const [row] = await rows<KeyRow & Row>(text, [idOfHash(hash), ...values]);
    return row !== undefined && isSameHash(hash, row.hash) ? row : undefined;
  };
  return {
    async account(key) {
      const row = await find(ACCOUNT, key);
      return row && recordOf<Owner>(owners, row, "o.");
    },
    async version(key) {
      const row = await find(VERSION, key);
      return row && { owner: row.owner, version: Number(row.version) };
    },
    async item(key, id) {
      // Ids that no item can have are outside of the range of a bigint.
      const row = await find(ITEM, key, Number.isSafeInteger(id) ? id : 0);
      return row && { owner: row.owner, item: itemOf(row) };
    },
    async purchase(key, code) {
      // A text of PostgreSQL can't contain NUL; no purchase has this code.
      const row = await find(PURCHASE, key, code.includes("\0") ? "" : code);
      if (row === undefined) return undefined;
      const purchase =
        row["p.code"] === null
          ? undefined
          : recordOf<StoredPurchase>(purchases, row, "p.");
      return { owner: row.owner, purchase, item: itemOf(row) };
    },
  };
}

function itemOf(row: Row): StoredItem | undefined {
  return row["i.id"] === null
    ? undefined
    : recordOf<StoredItem>(items, row, "i.");
}

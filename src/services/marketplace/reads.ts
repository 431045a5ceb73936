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
 * if the key is unknown or revoked. `owner` is the user name of its owner.
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

/** Returns reads that use one query each if the store is a database. */
export function readsOf(store: Store): MarketplaceReads {
  const { rows } = store;
  return rows === undefined ? recordReads(store) : joinedReads(rows);
}

function recordReads(store: StoreReader): MarketplaceReads {
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
      const owner = await ownerOf(store, key);
      return owner === undefined
        ? undefined
        : store.get<Owner>(tables.owners, owner);
    },
    async version(key) {
      const owner = await ownerOf(store, key);
      if (owner === undefined) return undefined;
      const version = await store.get<number>(tables.versions, owner);
      return { owner, version: version ?? 0 };
    },
    async item(key, id) {
      const owner = await ownerOf(store, key);
      if (owner === undefined) return undefined;
      return { owner, item: await findItem(owner, id) };
    },
    async purchase(key, code) {
      const owner = await ownerOf(store, key);
      if (owner === undefined) return undefined;
      const purchase = await store.get<StoredPurchase>(
        tables.purchases,
        purchaseKey(owner, code),
      );
      const item = purchase && (await findItem(owner, purchase.itemId));
      return { owner, purchase, item };
    },
  };
}

const owners = relations[tables.owners]!;
const items = relations[tables.items]!;
const purchases = relations[tables.purchases]!;

const ACCOUNT = `SELECT k.owner, k.hash, ${selection(owners, "o")}
  FROM gen_keys k JOIN gen_owners o ON o.username = k.owner
  WHERE k.id = $1`;

const VERSION = `SELECT k.owner, k.hash, coalesce(v.version, 0) AS version
  FROM gen_keys k LEFT JOIN gen_item_versions v ON v.owner = k.owner
  WHERE k.id = $1`;

const ITEM = `SELECT k.owner, k.hash, ${selection(items, "i")}
  FROM gen_keys k LEFT JOIN gen_items i ON i.owner = k.owner AND i.id = $2
  WHERE k.id = $1`;

const PURCHASE = `SELECT k.owner, k.hash, ${selection(purchases, "p")}, ${selection(items, "i")}
  FROM gen_keys k
  LEFT JOIN gen_purchases p ON p.owner = k.owner AND p.code = $2
  LEFT JOIN gen_items i ON i.owner = p.owner AND i.id = p.item_id
  WHERE k.id = $1`;

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

import type { ItemListResponse } from "../../../generated/marketplace/v1/schemas.js";
import type { StoreReader } from "../store/store.js";
import { tables, type StoredItem } from "./data.js";
import { itemOf } from "./view.js";

/** Maximum number of cached items, summed over all owners. */
const MAX_ITEMS = 50_000;

/**
 * Response with the list of an owner's items, as an object and as serialized
 * JSON.
 */
export interface ItemList {
  /** Number of items in the list. */
  readonly size: number;
  readonly response: ItemListResponse;
  /**
   * Response as JSON. It is cached because serialization takes longer than
   * sending.
   */
  readonly json: Buffer;
}

interface CachedList {
  readonly version: number;
  readonly list: ItemList;
}

/**
 * Cache of the approved items of each owner, highest id first. Each change to
 * an owner's items increments a version number in the same transaction. If the
 * version number of a cached list is outdated, the list is read again. Changes
 * by other processes are therefore visible immediately.
 */
export class ItemLists {
  readonly #store: StoreReader;
  /** Cached lists, keyed by owner. The least recently used list is first. */
  readonly #cached = new Map<string, CachedList>();
  readonly #loading = new Map<string, Promise<ItemList>>();
  #count = 0;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /**
   * Returns the list of an owner.
   *
   * @param version version number of the owner's items. It must be read before
   *   this call, so that a list is never older than the number stored with it.
   */
  async get(owner: string, version: number): Promise<ItemList> {
    const cached = this.#cached.get(owner);
    if (cached?.version === version) {
      this.#cached.delete(owner);
      this.#cached.set(owner, cached);
      return cached.list;
    }
    return this.#load(owner, version);
  }

  /**
   * Loads lists until half of the cache is filled, so that the first requests
   * are fast.
   */
  async warm(isClosed: () => boolean): Promise<void> {
    for (const { key } of await this.#store.list(tables.owners)) {
      if (isClosed() || this.#count > MAX_ITEMS / 2) return;
      const version = await this.#store.get<number>(tables.versions, key);
      await this.get(key, version ?? 0);
    }
  }

  /**
   * Reads the list of an owner. Concurrent requests for the same list share one
   * read.
   */
  #load(owner: string, version: number): Promise<ItemList> {
    const name = `${owner}/${version}`;
    const loading =
      this.#loading.get(name) ??
      this.#read(owner)
        .then((list) => {
          this.#cache(owner, { version, list });
          return list;
        })
        .finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #read(owner: string): Promise<ItemList> {
    const range = { prefix: `${owner}/`, isReverse: true };
    const stored = await this.#store.list<StoredItem>(tables.items, range);
    const items = stored
      .filter(({ value }) => value.state === "approved")
      .map(({ value }) => itemOf(value));
    const response: ItemListResponse = { status: "success", items };
    const json = Buffer.from(JSON.stringify(response));
    return { size: items.length, response, json };
  }

  #cache(owner: string, cached: CachedList): void {
    this.#evict(owner);
    this.#cached.set(owner, cached);
    this.#count += weightOf(cached);
    for (const [oldest] of this.#cached) {
      if (this.#count <= MAX_ITEMS || oldest === owner) break;
      this.#evict(oldest);
    }
  }

  #evict(owner: string): void {
    this.#count -= weightOf(this.#cached.get(owner));
    this.#cached.delete(owner);
  }
}

/**
 * Returns the number of items in a cached list. An empty list counts as one
 * item, because it also needs memory.
 */
function weightOf(cached: CachedList | undefined): number {
  return cached === undefined ? 0 : cached.list.size + 1;
}

import type { ItemListResponse } from "../../../generated/marketplace/v1/schemas.js";
import type { Reader } from "../store/store.js";
import { tables, type StoredItem } from "./data.js";
import { itemOf } from "./view.js";

/** Items kept in memory at most, of all owners together. */
const MOST = 50_000;

/** An owner's list as an answer, and the same as bytes. */
export interface ItemList {
  /** Number of items. */
  readonly size: number;
  readonly answer: ItemListResponse;
  /** Made when the list is asked for first: making it costs more than sending it. */
  readonly json: Buffer;
}

interface Known {
  readonly version: number;
  readonly list: ItemList;
}

/**
 * Owners' approved items, newest id first. Lists are kept until the version in
 * the store is another one, which each change of items makes in its own
 * transaction: also those of other processes are seen at once.
 */
export class ItemLists {
  readonly #store: Reader;
  /** The one used last at the end. */
  readonly #known = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<ItemList>>();
  #count = 0;

  constructor(store: Reader) {
    this.#store = store;
  }

  async of(owner: string): Promise<ItemList> {
    // Read before the items: a list is never older than its version.
    const version =
      (await this.#store.get<number>(tables.versions, owner)) ?? 0;
    const known = this.#known.get(owner);
    if (known?.version === version) {
      this.#known.delete(owner);
      this.#known.set(owner, known);
      return known.list;
    }
    return this.#load(owner, version);
  }

  /** Reads lists before somebody asks, as many as are kept; one after the other. */
  async warm(isOver: () => boolean): Promise<void> {
    for (const { key } of await this.#store.list(tables.owners)) {
      if (isOver() || this.#count > MOST / 2) return;
      await this.of(key);
    }
  }

  /** Who asks while a list is read waits for the same one. */
  #load(owner: string, version: number): Promise<ItemList> {
    const name = `${owner}/${version}`;
    const loading =
      this.#loading.get(name) ??
      this.#read(owner)
        .then((list) => {
          this.#keep(owner, { version, list });
          return list;
        })
        .finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #read(owner: string): Promise<ItemList> {
    const range = { prefix: `${owner}/`, isReverse: true };
    const all = await this.#store.list<StoredItem>(tables.items, range);
    const items = all
      .filter(({ value }) => value.state === "approved")
      .map(({ value }) => itemOf(value));
    const answer: ItemListResponse = { status: "success", items };
    const json = Buffer.from(JSON.stringify(answer));
    return { size: items.length, answer, json };
  }

  #keep(owner: string, known: Known): void {
    this.#forget(owner);
    this.#known.set(owner, known);
    this.#count += weightOf(known);
    for (const [oldest] of this.#known) {
      if (this.#count <= MOST || oldest === owner) break;
      this.#forget(oldest);
    }
  }

  #forget(owner: string): void {
    this.#count -= weightOf(this.#known.get(owner));
    this.#known.delete(owner);
  }
}

/** An empty list takes room as well. */
function weightOf(known: Known | undefined): number {
  return known === undefined ? 0 : known.list.size + 1;
}

import type { Item } from "../../../generated/marketplace/v1/schemas.js";
import type { Reader } from "../store/store.js";
import { tables, type StoredItem } from "./data.js";
import { itemOf } from "./view.js";

/** Items kept in memory at most, of all owners together. */
const MOST = 100_000;

interface Known {
  readonly version: number;
  readonly items: Item[];
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
  #count = 0;

  constructor(store: Reader) {
    this.#store = store;
  }

  async of(owner: string): Promise<Item[]> {
    // Read before the items: a list is never older than its version.
    const version =
      (await this.#store.get<number>(tables.versions, owner)) ?? 0;
    const known = this.#known.get(owner);
    if (known?.version === version) {
      this.#known.delete(owner);
      this.#known.set(owner, known);
      return known.items;
    }
    const items = await this.#read(owner);
    this.#keep(owner, { version, items });
    return items;
  }

  async #read(owner: string): Promise<Item[]> {
    const range = { prefix: `${owner}/`, isReverse: true };
    const all = await this.#store.list<StoredItem>(tables.items, range);
    return all
      .filter(({ value }) => value.state === "approved")
      .map(({ value }) => itemOf(value));
  }

  #keep(owner: string, list: Known): void {
    this.#forget(owner);
    this.#known.set(owner, list);
    this.#count += list.items.length;
    for (const [oldest] of this.#known) {
      if (this.#count <= MOST || oldest === owner) break;
      this.#forget(oldest);
    }
  }

  #forget(owner: string): void {
    this.#count -= this.#known.get(owner)?.items.length ?? 0;
    this.#known.delete(owner);
  }
}

import { compareKeys } from "./keys.js";
import { isWithin, Overlay } from "./overlay.js";
import { Queue } from "./queue.js";
import type { Entry, KeyRange, StoreReader, Store } from "./store.js";

/** Creates a store that exists only in memory. */
export function memoryStore(): Store {
  const tables = new Map<string, Table>();
  const queue = new Queue();
  const base = reader((name) => tables.get(name) ?? new Table());
  return {
    ...base,
    isShared: false,
    transaction: (run) =>
      queue.run(async () => {
        const overlay = new Overlay(base);
        const result = await run(overlay);
        for (const [name, changes] of overlay.changes)
          tableOf(tables, name).apply(changes);
        return result;
      }),
    close: () => queue.idle(),
  };
}

function tableOf(tables: Map<string, Table>, name: string): Table {
  const table = tables.get(name) ?? new Table();
  tables.set(name, table);
  return table;
}

/**
 * Table of values, keyed by string. Values are stored as JSON text, so that
 * callers do not share objects with the store.
 */
class Table {
  readonly rows = new Map<string, string>();
  #sorted: readonly string[] | undefined;

  /** All keys in sorted order. They are sorted on first use after a change. */
  get keys(): readonly string[] {
    return (this.#sorted ??= [...this.rows.keys()].sort(compareKeys));
  }

  apply(changes: ReadonlyMap<string, string | undefined>): void {
    for (const [key, text] of changes) {
      if (text === undefined ? this.rows.has(key) : !this.rows.has(key))
        this.#sorted = undefined;
      if (text === undefined) this.rows.delete(key);
      else this.rows.set(key, text);
    }
  }
}

function reader(tableOf: (name: string) => Table): StoreReader {
  return {
    async get<T>(table: string, key: string) {
      const text = tableOf(table).rows.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async list<T>(table: string, range: KeyRange = {}) {
      return select<T>(tableOf(table), range);
    },
    async count(table, prefix = "") {
      const { keys } = tableOf(table);
      return keys.filter((key) => key.startsWith(prefix)).length;
    },
  };
}

function select<T>({ keys, rows }: Table, range: KeyRange): Entry<T>[] {
  const { limit = Infinity, offset = 0 } = range;
  const selected = keys.filter((key) => isWithin(key, range));
  if (range.isReverse === true) selected.reverse();
  return selected
    .slice(offset, offset + limit)
    .map((key) => ({ key, value: JSON.parse(rows.get(key)!) as T }));
}

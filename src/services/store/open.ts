import path from "node:path";
import {
  loadWithPackage,
  MissingPackageError,
} from "../../platform/optional-package.js";
import { compareKeys, isWithin, Overlay } from "./overlay.js";
import { Queue } from "./queue.js";
import {
  type Entry,
  type KeyRange,
  type Store,
  StoreError,
  type StoreReader,
} from "./store.js";

/**
 * Location of a store. If neither `data` nor `url` is set, the store is in
 * memory.
 */
export interface StoreLocation {
  /** Folder with the data of the services. */
  readonly data?: string | undefined;
  /** URL of a database, which takes precedence over the folder. */
  readonly url?: string | undefined;
}

/** @throws StoreError if the store can't be opened */
export async function openStore({ data, url }: StoreLocation): Promise<Store> {
  if (url !== undefined) {
    if (!/^postgres(ql)?:\/\//.test(url))
      throw new StoreError(
        "unavailable",
        "the URL of the store must start with postgresql://",
      );
    const { postgresStore } = await requirePostgres();
    return postgresStore(url);
  }
  if (data === undefined) return memoryStore();
  const { levelStore } = await requirePackage(
    "classic-level",
    "A store in a folder",
    () => import("./level.js"),
  );
  return levelStore(path.join(data, "store"));
}

/**
 * Imports the store in PostgreSQL.
 *
 * @throws StoreError if a package that it needs is not installed
 */
export async function requirePostgres(): Promise<
  typeof import("./postgres.js")
> {
  await requirePackage("pg", "PostgreSQL", () => import("pg"));
  const copy = (): Promise<unknown> => import("pg-copy-streams");
  await requirePackage("pg-copy-streams", "PostgreSQL", copy);
  const limits = (): Promise<unknown> => import("rate-limiter-flexible");
  await requirePackage("rate-limiter-flexible", "PostgreSQL", limits);
  return requirePackage(
    "node-pg-migrate",
    "PostgreSQL",
    () => import("./postgres.js"),
  );
}

/** @throws StoreError if the package is not installed */
async function requirePackage<T>(
  name: string,
  purpose: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await loadWithPackage(name, purpose, load);
  } catch (error) {
    if (error instanceof MissingPackageError)
      throw new StoreError("unavailable", error.message);
    throw error;
  }
}

/** Creates a store that exists only in memory. */
export function memoryStore(): Store {
  const tables = new Map<string, Table>();
  const queue = new Queue();
  const base = reader((name) => tables.get(name) ?? new Table());
  return {
    ...base,
    isShared: false,
    tables: async () => [...tables.keys()],
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
    async existing(table, keys) {
      const { rows } = tableOf(table);
      return new Set(keys.filter((key) => rows.has(key)));
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

import type { Pool } from "pg";

/** JSON value that can be stored. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Key in a table, with its value. */
export interface Entry<T = Json> {
  readonly key: string;
  readonly value: T;
}

/** Range of entries in a table. Default: all entries. */
export interface KeyRange {
  /** Prefix of the selected keys. */
  readonly prefix?: string;
  /**
   * Selects only the keys after this key, in the order of the list. The key
   * itself is not selected.
   */
  readonly after?: string;
  /** Maximum number of selected entries. */
  readonly limit?: number;
  /** Number of entries that are skipped at the start. */
  readonly offset?: number;
  /** True to list the entries from the last key to the first. */
  readonly isReverse?: boolean;
}

/** Read access to tables. Keys are in the order of their UTF-8 bytes. */
export interface StoreReader {
  get<T = Json>(table: string, key: string): Promise<T | undefined>;
  list<T = Json>(table: string, range?: KeyRange): Promise<readonly Entry<T>[]>;
  /** Returns the number of keys with a prefix. */
  count(table: string, prefix?: string): Promise<number>;
  /** Returns those of the keys that the table contains. */
  existing(
    table: string,
    keys: readonly string[],
  ): Promise<ReadonlySet<string>>;
}

/**
 * Reads and writes that are executed atomically. Reads return the values of
 * earlier writes in the transaction.
 */
export interface Transaction extends StoreReader {
  put(table: string, key: string, value: unknown): void;
  delete(table: string, key: string): void;
  /**
   * Returns the next id of a sequence. The first id is 1. Ids are never assigned
   * twice; they can have gaps after a transaction that failed.
   */
  nextId(sequence: SequenceName): Promise<number>;
}

/** Name of a sequence of ids. */
export type SequenceName = "account" | "migration" | "repository";

/**
 * Tables of keys and values. In every implementation, transactions are atomic
 * and serializable. Except in an in-memory store, a transaction is durable once
 * its promise is resolved.
 */
export interface Store extends StoreReader {
  /** True if other processes can use the same store at the same time. */
  readonly isShared: boolean;
  /**
   * Runs a function in a transaction. If the function throws, its writes are
   * discarded and the error is rethrown. After a conflict with another process,
   * the function is called again.
   */
  transaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Returns the current time of the store in milliseconds since 1970. Absent if
   * only this process uses the store. Processes on different machines compare
   * deadlines by this clock, because their own clocks can differ.
   */
  time?(): Promise<number>;
  /**
   * Runs a query of SQL with values, in one round trip. Absent if the store is
   * not a database; then the other methods read the same data.
   */
  rows?<T extends object>(text: string, values: unknown[]): Promise<T[]>;
  /**
   * Connections to the database, for libraries that have tables of their own.
   * Absent if the store is not a database.
   */
  readonly pool?: Pool | undefined;
  /** Returns the names of all tables, including empty ones. */
  tables(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Returns the time by a clock that all processes share, in milliseconds since
 * 1970.
 *
 * @param now clock of this process, for stores of one process
 */
export async function sharedTime(
  store: Pick<Store, "time">,
  now: () => number,
): Promise<number> {
  return (await store.time?.()) ?? now();
}

/** Number of entries that {@link entriesOf} reads at a time. */
const BATCH = 1000;

/** Yields the entries of a table in the order of their keys, read in batches. */
export async function* entriesOf<T>(
  store: StoreReader,
  table: string,
  range: Pick<KeyRange, "prefix" | "after">,
): AsyncGenerator<Entry<T>> {
  let { after } = range;
  for (;;) {
    const entries = await store.list<T>(table, {
      ...range,
      ...(after === undefined ? {} : { after }),
      limit: BATCH,
    });
    yield* entries;
    if (entries.length < BATCH) return;
    after = entries.at(-1)!.key;
  }
}

/** Error of a store that can't be opened, or of an operation that failed. */
export class StoreError extends Error {
  /**
   * `locked` if another process has opened the store, `unavailable` for any
   * other failure.
   */
  readonly reason: "locked" | "unavailable";

  constructor(
    reason: "locked" | "unavailable",
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StoreError";
    this.reason = reason;
  }
}

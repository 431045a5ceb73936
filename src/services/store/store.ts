/** JSON value that can be stored. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Key and its value. */
export interface Entry<T = Json> {
  readonly key: string;
  readonly value: T;
}

/** Selects entries of a table; by default, all entries. */
export interface KeyRange {
  /** Selects only keys with this prefix. */
  readonly prefix?: string;
  /** Selects only keys that come after this key in the order of the list. */
  readonly after?: string;
  /** Maximum number of entries. */
  readonly limit?: number;
  /** Number of entries to skip. */
  readonly offset?: number;
  /** Lists from the last key to the first. */
  readonly isReverse?: boolean;
}

/** Reads tables. Keys are in the order of their UTF-8 bytes. */
export interface StoreReader {
  get<T = Json>(table: string, key: string): Promise<T | undefined>;
  list<T = Json>(table: string, range?: KeyRange): Promise<readonly Entry<T>[]>;
  /** Counts the keys with a prefix. */
  count(table: string, prefix?: string): Promise<number>;
}

/** Atomic reads and writes; reads see earlier writes of the transaction. */
export interface Transaction extends StoreReader {
  put(table: string, key: string, value: unknown): void;
  delete(table: string, key: string): void;
}

/**
 * Tables of keys and values. In every implementation, transactions are atomic
 * and serializable. Unless the store is in memory, they are durable once their
 * promise is resolved.
 */
export interface Store extends StoreReader {
  /** True if other processes can use the same store at the same time. */
  readonly isShared: boolean;
  /**
   * Runs a function in a transaction. If the function throws, its writes are
   * discarded and the error is rethrown. The function is run again after a
   * conflict with another process.
   */
  transaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Reports that the store can't be opened or an operation failed. */
export class StoreError extends Error {
  /**
   * `locked`: another process has the store open; `unavailable`: any other
   * failure.
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

/** What can be stored: a value of JSON. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A key and what is stored under it. */
export interface Entry<T = Json> {
  readonly key: string;
  readonly value: T;
}

/** Which entries of a table are meant; all of them where nothing is said. */
export interface Range {
  /** Only keys that start so. */
  readonly prefix?: string;
  /** Only keys behind this one, in the order asked for. */
  readonly after?: string;
  /** Number of entries at most. */
  readonly limit?: number;
  /** Number of entries passed over at the start. */
  readonly offset?: number;
  /** From the last key to the first. */
  readonly isReverse?: boolean;
}

/** Looks at tables. Keys are in the order of their UTF-8 bytes. */
export interface Reader {
  get<T = Json>(table: string, key: string): Promise<T | undefined>;
  list<T = Json>(table: string, range?: Range): Promise<readonly Entry<T>[]>;
  /** How many keys start so. */
  count(table: string, prefix?: string): Promise<number>;
}

/** Reads and writes, which happen together or not at all. It reads what it wrote. */
export interface Transaction extends Reader {
  put(table: string, key: string, value: unknown): void;
  delete(table: string, key: string): void;
}

/**
 * Where services keep what must last: tables of keys and values.
 * Whatever is behind it, transactions are atomic, serial, and durable once resolved.
 */
export interface Store extends Reader {
  /** Whether other processes may have the same store. */
  readonly isShared: boolean;
  /**
   * Runs a function whose reads see a state that nobody else changes until its
   * writes are in. What it throws undoes the writes, and comes back to the caller.
   * The function may run again, where another process got in its way.
   */
  transaction<T>(run: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The store can't be opened, or did not do what it was asked. */
export class StoreError extends Error {
  /** `locked`: another process has it; `unavailable`: anything else. */
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

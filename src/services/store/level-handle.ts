import type { ClassicLevel } from "classic-level";
import { StoreError } from "./store.js";

/** Methods of LevelDB that the store needs. */
export type Database = Pick<
  ClassicLevel<string, string>,
  "get" | "iterator" | "keys" | "batch" | "close"
>;

/** Change of one key in a LevelDB batch. */
export type Operation =
  | { readonly type: "del"; readonly key: string }
  | { readonly type: "put"; readonly key: string; readonly value: string };

/** Functions that open the database and check the available disk space. */
export interface Opener {
  open(): Promise<Database>;
  /**
   * Checks the available disk space. Rejects if it is not sufficient for a
   * recovery.
   */
  probe(): Promise<void>;
}

/**
 * Database that is reopened after a failed write. A failed write (full disk,
 * exceeded quota) can leave a partial record at the end of LevelDB's log.
 * LevelDB then appends to this log and reports success, but the next recovery
 * drops all data after the partial record. After a failed write, the database
 * is therefore closed and reopened, which creates a new log. Writes are
 * rejected until this succeeds. Reads use the old database as long as it is
 * open, because it contains exactly the acknowledged changes.
 */
export class LevelHandle {
  readonly #opener: Opener;
  #database: Database | undefined;
  #isLogTorn = false;
  #isClosed = false;
  #recovery: Promise<void> | undefined;
  #uses = 0;
  #onIdle: (() => void) | undefined;

  private constructor(opener: Opener, database: Database) {
    this.#opener = opener;
    this.#database = database;
  }

  static async open(opener: Opener): Promise<LevelHandle> {
    return new LevelHandle(opener, await opener.open());
  }

  /** @throws StoreError while the database can't be read */
  async read<T>(run: (database: Database) => Promise<T>): Promise<T> {
    while (this.#recovery !== undefined || this.#database === undefined)
      await this.#ensureRecovered();
    return this.#use(this.#database, run);
  }

  /**
   * Writes a batch of changes atomically.
   *
   * @throws StoreError `unavailable` if the write failed; in this case, either
   *   all changes or none were stored
   */
  async write(batch: readonly Operation[]): Promise<void> {
    while (this.#isLogTorn || this.#database === undefined)
      await this.#ensureRecovered();
    try {
      // The option `sync` waits until the data is on disk, so that acknowledged
      // changes survive a power failure.
      await this.#use(this.#database, (database) =>
        database.batch([...batch], { sync: true }),
      );
    } catch (error) {
      this.#isLogTorn = true;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#recovery?.catch(() => {});
    await this.#closeDatabase();
  }

  async #use<T>(
    database: Database,
    run: (database: Database) => Promise<T>,
  ): Promise<T> {
    this.#uses++;
    try {
      return await run(database);
    } catch (error) {
      throw unavailableError(error);
    } finally {
      if (--this.#uses === 0) this.#onIdle?.();
    }
  }

  /**
   * Reopens the database after a failed write. Concurrent callers share one
   * attempt.
   */
  #ensureRecovered(): Promise<void> {
    if (this.#isClosed)
      return Promise.reject(
        new StoreError("unavailable", "the store is closed"),
      );
    return (this.#recovery ??= this.#recover().finally(
      () => (this.#recovery = undefined),
    ));
  }

  async #recover(): Promise<void> {
    try {
      await this.#opener.probe();
      await this.#closeDatabase();
      this.#database = await this.#opener.open();
      this.#isLogTorn = false;
    } catch (error) {
      throw unavailableError(error);
    }
  }

  async #closeDatabase(): Promise<void> {
    if (this.#uses > 0)
      await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#onIdle = undefined;
    await this.#database?.close();
    this.#database = undefined;
  }
}

/**
 * Converts an error of LevelDB to a StoreError with the message of its cause.
 */
export function unavailableError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message, cause } = error as Error & { readonly cause?: Error };
  return new StoreError("unavailable", cause?.message ?? message, error);
}

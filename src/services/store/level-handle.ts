import type { ClassicLevel } from "classic-level";
import { StoreError } from "./store.js";

/** What the store uses of LevelDB. */
export type Database = Pick<
  ClassicLevel<string, string>,
  "get" | "iterator" | "keys" | "batch" | "close"
>;

/** One change of a batch. */
export type Operation =
  | { readonly type: "del"; readonly key: string }
  | { readonly type: "put"; readonly key: string; readonly value: string };

/** Opens the database, and checks that there is room to do so. */
export interface Opener {
  open(): Promise<Database>;
  /** Rejects while the disk has no room for a recovery. */
  probe(): Promise<void>;
}

/**
 * A database that is opened anew after a failed write.
 *
 * LevelDB's log may end in half a record after a write that failed (a full disk, a quota).
 * LevelDB goes on to write behind it and reports success, but the next recovery drops
 * everything behind the half record. So nothing is written to such a log: the database is
 * closed and opened, which makes a new log. Until that succeeds, writes are refused, and
 * reads continue on the old database as long as it is open: it has exactly what was acknowledged.
 */
export class LevelHandle {
  readonly #opener: Opener;
  #database: Database | undefined;
  #isTorn = false;
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
      await this.#recovered();
    return this.#use(this.#database, run);
  }

  /** @throws StoreError `unavailable`; then the changes may or may not be stored, but all of them or none */
  async write(batch: readonly Operation[]): Promise<void> {
    while (this.#isTorn || this.#database === undefined)
      await this.#recovered();
    try {
      // `sync` waits for the disk: acknowledged changes outlive a power cut.
      await this.#use(this.#database, (database) =>
        database.batch([...batch], { sync: true }),
      );
    } catch (error) {
      this.#isTorn = true;
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
      throw unavailable(error);
    } finally {
      if (--this.#uses === 0) this.#onIdle?.();
    }
  }

  /** Callers share one recovery; each later call tries again. */
  #recovered(): Promise<void> {
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
      this.#isTorn = false;
    } catch (error) {
      throw unavailable(error);
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

/** What LevelDB reports, with the words of its cause. */
export function unavailable(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message, cause } = error as Error & { readonly cause?: Error };
  return new StoreError("unavailable", cause?.message ?? message, error);
}

import { mkdirSync } from "node:fs";
import { open as openFile, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import {
  type Changes,
  compareKeys,
  endOfPrefix,
  isKey,
  Overlay,
} from "./overlay.js";
import { Queue } from "./queue.js";
import {
  type KeyRange,
  type Store,
  StoreError,
  type StoreReader,
} from "./store.js";

/*
 * Reasons for LevelDB (classic-level) as the embedded store: it needs one
 * folder and no server, its log survives kill -9, its keys are ordered by bytes
 * and its batches are atomic. The package contains prebuilt binaries for common
 * platforms, so its installation downloads and compiles nothing else.
 * `node:sqlite` does not exist in Node 20, and other SQLite packages download
 * binaries during installation.
 */

/**
 * Opens a store in a folder, which is created if it is missing. Only one
 * process can open the store at a time.
 *
 * @param opener opens the database; tests pass an opener whose database fails
 *   to write
 * @throws StoreError `locked` if another process has opened the store
 */
export async function levelStore(
  folder: string,
  opener: Opener = { open: () => open(folder), probe: () => probe(folder) },
): Promise<Store> {
  const handle = await LevelHandle.open(opener);
  const base = reader(handle);
  const queue = new Queue();
  return {
    ...base,
    isShared: false,
    async tables() {
      const names: string[] = [];
      for (;;) {
        // U+0001 follows the NUL after the name of a table.
        const last = names.at(-1);
        const range = last === undefined ? {} : { gte: `${last}\u0001` };
        const [key] = await handle.read((database) =>
          database.keys({ ...range, limit: 1 }).all(),
        );
        if (key === undefined) return names;
        names.push(key.slice(0, key.indexOf("\0")));
      }
    },
    transaction: (run) =>
      queue.run(async () => {
        const overlay = new Overlay(base);
        const result = await run(overlay);
        const batch = operations(overlay.changes);
        if (batch.length > 0) await handle.write(batch);
        return result;
      }),
    async close() {
      await queue.idle();
      await handle.close();
    },
  };
}

async function open(folder: string): Promise<Database> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database = new ClassicLevel<string, string>(folder, {
      keyEncoding: "utf8",
      valueEncoding: "utf8",
    });
    await database.open();
    return database;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    if (cause?.code === "LEVEL_LOCKED")
      throw new StoreError(
        "locked",
        `another process is using ${folder}; stop it or choose a different data folder`,
      );
    throw unavailableError(error);
  }
}

/**
 * Checks that the disk space is sufficient for a recovery. A recovery copies
 * each log into a table, so this function writes the same number of bytes and
 * deletes them again. If the check fails, the database remains open for reads.
 */
async function probe(folder: string): Promise<void> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  const files = logs.map((name) => path.join(folder, `${name}.probe`));
  try {
    for (const [index, file] of files.entries()) {
      const { size } = await stat(path.join(folder, logs[index]!));
      await writeZeros(file, size);
    }
  } finally {
    for (const file of files) await rm(file, { force: true });
  }
}

const ZEROS = Buffer.alloc(64 * 1024);

async function writeZeros(file: string, size: number): Promise<void> {
  const handle = await openFile(file, "w", 0o600);
  try {
    for (let left = size; left > 0; left -= ZEROS.length)
      await handle.writeFile(ZEROS.subarray(0, left));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function operations(changes: Changes): Operation[] {
  return [...changes].flatMap(([table, rows]) =>
    [...rows].map(([key, value]): Operation =>
      value === undefined
        ? { type: "del", key: keyOf(table, key) }
        : { type: "put", key: keyOf(table, key), value },
    ),
  );
}

/**
 * Joins a table name and a key with NUL. Table names do not contain NUL, so
 * keys of different tables are always different.
 */
function keyOf(table: string, key: string): string {
  return `${table}\0${key}`;
}

/** Number of bytes that are fetched at a time while a table is listed. */
const FETCH_BYTES = 4 * 1024 * 1024;

function reader(handle: LevelHandle): StoreReader {
  return {
    async get<T>(table: string, key: string) {
      if (!isKey(key)) return undefined;
      const name = keyOf(table, key);
      const text = await handle.read((database) => database.get(name));
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async existing(table, keys) {
      const names = keys.filter(isKey);
      const values = await handle.read((database) =>
        database.getMany(names.map((key) => keyOf(table, key))),
      );
      return new Set(names.filter((_, at) => values[at] !== undefined));
    },
    async list<T>(table: string, range: KeyRange = {}) {
      const { offset = 0, limit = Infinity } = range;
      const start = table.length + 1;
      const options = {
        ...bounds(table, range),
        limit: limit === Infinity ? -1 : offset + limit,
        highWaterMarkBytes: FETCH_BYTES,
      };
      const entries = await handle.read((database) =>
        database.iterator(options).all(),
      );
      return entries.slice(offset).map(([key, text]) => ({
        key: key.slice(start),
        value: JSON.parse(text) as T,
      }));
    },
    async count(table, prefix = "") {
      const range = bounds(table, { prefix });
      const keys = await handle.read((database) => database.keys(range).all());
      return keys.length;
    },
  };
}

function bounds(
  table: string,
  { prefix = "", after, isReverse = false }: KeyRange,
): { gte?: string; gt?: string; lt: string; reverse: boolean } {
  const low = keyOf(table, prefix);
  const high = endOfPrefix(low)!;
  const from = after === undefined ? undefined : keyOf(table, after);
  if (from === undefined || !isKey(from))
    return { gte: low, lt: high, reverse: isReverse };
  if (isReverse) {
    const lt = compareKeys(from, high) < 0 ? from : high;
    return { gte: low, lt, reverse: true };
  }
  return compareKeys(from, low) < 0
    ? { gte: low, lt: high, reverse: false }
    : { gt: from, lt: high, reverse: false };
}

/** Methods of LevelDB that the store needs. */
export type Database = Pick<
  ClassicLevel<string, string>,
  "get" | "getMany" | "iterator" | "keys" | "batch" | "close"
>;

/** Change of one key in a LevelDB batch. */
export type Operation =
  | { readonly type: "del"; readonly key: string }
  | { readonly type: "put"; readonly key: string; readonly value: string };

/** Functions that open the database and check the available disk space. */
interface Opener {
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
class LevelHandle {
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
function unavailableError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message, cause } = error as Error & { readonly cause?: Error };
  return new StoreError("unavailable", cause?.message ?? message, error);
}

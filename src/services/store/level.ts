import { mkdirSync } from "node:fs";
import { open as openFile, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { compareKeys, endOfPrefix, isKey } from "./keys.js";
import {
  LevelHandle,
  unavailableError,
  type Database,
  type Opener,
  type Operation,
} from "./level-handle.js";
import { Overlay, type Changes } from "./overlay.js";
import { Queue } from "./queue.js";
import {
  StoreError,
  type KeyRange,
  type StoreReader,
  type Store,
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

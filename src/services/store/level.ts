import { mkdirSync } from "node:fs";
import { ClassicLevel } from "classic-level";
import { compareKeys, endOfPrefix, isKey } from "./keys.js";
import { Overlay, type Changes } from "./overlay.js";
import { Queue } from "./queue.js";
import { StoreError, type Range, type Reader, type Store } from "./store.js";

/*
 * Why LevelDB (classic-level) is the embedded store: one folder, no server, a
 * log that survives kill -9, keys in the order of their bytes, batches that are
 * atomic. Its package carries prebuilt binaries of all usual platforms, so
 * that installing it downloads and compiles nothing else. Node's own SQLite
 * does not exist in Node 20, and other packages of SQLite download their
 * binaries when they are installed.
 */

type Database = ClassicLevel<string, string>;

/**
 * Opens a store in a folder, which is made where it is missing. One process at
 * a time may have it.
 *
 * @throws StoreError `locked` where another process has it open.
 */
export async function levelStore(folder: string): Promise<Store> {
  const database = await open(folder);
  const base = reader(database);
  const queue = new Queue();
  return {
    ...base,
    transaction: (run) =>
      queue.run(async () => {
        const overlay = new Overlay(base);
        const result = await run(overlay);
        await commit(database, overlay.changes);
        return result;
      }),
    async close() {
      await queue.idle();
      await database.close();
    },
  };
}

async function open(folder: string): Promise<Database> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database: Database = new ClassicLevel(folder, {
      keyEncoding: "utf8",
      valueEncoding: "utf8",
    });
    await database.open();
    return database;
  } catch (error) {
    const { message, cause } = error as Error & {
      cause?: Error & { code?: string };
    };
    if (cause?.code === "LEVEL_LOCKED")
      throw new StoreError("locked", `another process has ${folder} open`);
    throw new StoreError("unavailable", cause?.message ?? message);
  }
}

/** `sync` waits for the disk: what is answered is there after a power cut too. */
async function commit(database: Database, changes: Changes): Promise<void> {
  const batch = [...changes].flatMap(([table, rows]) =>
    [...rows].map(([key, value]) =>
      value === undefined
        ? ({ type: "del", key: keyOf(table, key) } as const)
        : ({ type: "put", key: keyOf(table, key), value } as const),
    ),
  );
  if (batch.length > 0) await database.batch(batch, { sync: true });
}

/** No table has a NUL in its name, so no table's keys stand among another's. */
function keyOf(table: string, key: string): string {
  return `${table}\0${key}`;
}

/** Bytes that a list fetches at a time: large lists in few steps. */
const FETCHED = 4 * 1024 * 1024;

function reader(database: Database): Reader {
  return {
    async get<T>(table: string, key: string) {
      if (!isKey(key)) return undefined;
      const text = await database.get(keyOf(table, key));
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async list<T>(table: string, range: Range = {}) {
      const { offset = 0, limit = Infinity } = range;
      const start = table.length + 1;
      const found = await database
        .iterator({
          ...bounds(table, range),
          limit: limit === Infinity ? -1 : offset + limit,
          highWaterMarkBytes: FETCHED,
        })
        .all();
      return found.slice(offset).map(([key, text]) => ({
        key: key.slice(start),
        value: JSON.parse(text) as T,
      }));
    },
    async count(table, prefix = "") {
      return (await database.keys(bounds(table, { prefix })).all()).length;
    },
  };
}

function bounds(
  table: string,
  { prefix = "", after, isReverse = false }: Range,
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

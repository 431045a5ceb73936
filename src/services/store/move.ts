import { openStore, requirePostgres } from "./open.js";
import { lastIdKey, SEQUENCE_TABLE } from "./overlay.js";
import type { PostgresStore } from "./postgres.js";
import {
  checkOldTable,
  isTable,
  RETIRED_TABLE,
  retireOldTable,
} from "./postgres-schema.js";
import { relationOf } from "./relations.js";
import {
  StoreError,
  type Entry,
  type SequenceName,
  type Store,
  type Transaction,
} from "./store.js";

/** Source and target of {@link moveRecords}. */
interface MoveOptions {
  /**
   * Data folder whose records are copied; undefined to move the records that an
   * older version stored in the table `gen_store` of the database.
   */
  readonly data: string | undefined;
  /** URL of the database. */
  readonly url: string;
}

/**
 * Moves existing records to the tables of a database, in one transaction. A data
 * folder is not changed. The table of an older version is renamed first, so
 * that its servers can't write, and deleted at the end. If the move is
 * interrupted, it can be repeated.
 *
 * @returns number of moved records
 * @throws StoreError if a store can't be opened, the database already contains
 *   records, or there is nothing to move
 */
export async function moveRecords({ data, url }: MoveOptions): Promise<number> {
  const { postgresStore } = await requirePostgres();
  const target = await postgresStore(
    url,
    data === undefined ? retireOldTable : checkOldTable,
  );
  try {
    return data === undefined
      ? await moveOldTable(target)
      : await copyFolder(data, target);
  } finally {
    await target.close();
  }
}

async function copyFolder(
  data: string,
  target: PostgresStore,
): Promise<number> {
  const source = await openStore({ data });
  try {
    const tables = await source.tables();
    return await target.transaction(async (tx) => {
      let count = 0;
      for (const table of tables)
        count += await add(tx, table, await source.list(table));
      await startSequences(target, tx, source);
      return count;
    });
  } finally {
    await source.close();
  }
}

async function moveOldTable(target: PostgresStore): Promise<number> {
  if (!(await isTable(target.pool, RETIRED_TABLE)))
    throw new StoreError(
      "unavailable",
      "the database has no data of an older version; add --data DIR to copy a data folder",
    );
  const old = oldTable(target);
  const count = await target.transaction(async (tx) => {
    let sum = 0;
    for (const table of await old.tables())
      sum += await add(tx, table, await old.list(table));
    await startSequences(target, tx, old);
    return sum;
  });
  await target.pool.query(`DROP TABLE ${RETIRED_TABLE}`);
  return count;
}

/** Reader of the table that older versions used for all records. */
function oldTable(
  target: PostgresStore,
): Pick<Store, "tables" | "list" | "get"> {
  const list = async <T>(table: string): Promise<readonly Entry<T>[]> => {
    const rows = await target.rows<{ key: Buffer; value: string }>(
      `SELECT key, value FROM ${RETIRED_TABLE} WHERE tbl = $1 ORDER BY key`,
      [table],
    );
    return rows.map(({ key, value }) => ({
      key: key.toString(),
      value: JSON.parse(value) as T,
    }));
  };
  return {
    list,
    async tables() {
      const rows = await target.rows<{ tbl: string }>(
        `SELECT DISTINCT tbl FROM ${RETIRED_TABLE}`,
        [],
      );
      return rows.map(({ tbl }) => tbl);
    },
    async get<T>(table: string, key: string) {
      const entries = await list<T>(table);
      return entries.find((entry) => entry.key === key)?.value;
    },
  };
}

/** @throws StoreError if the table already contains records */
async function add(
  tx: Transaction,
  table: string,
  entries: readonly Entry<unknown>[],
): Promise<number> {
  if (entries.length === 0) return 0;
  if ((await tx.list(table, { limit: 1 })).length > 0)
    throw new StoreError(
      "unavailable",
      `the database already contains records of ${table}; use an empty database`,
    );
  if (relationOf(table)?.isReadOnly === true) return 0;
  for (const { key, value } of entries) tx.put(table, key, value);
  return entries.length;
}

const SEQUENCES: readonly SequenceName[] = [
  "account",
  "migration",
  "repository",
];

/** Makes sequences continue after the last ids of the source. */
async function startSequences(
  target: PostgresStore,
  tx: Transaction,
  source: Pick<Store, "get">,
): Promise<void> {
  for (const name of SEQUENCES) {
    const key = lastIdKey(name);
    const last = await source.get<number>(SEQUENCE_TABLE, key);
    if (last === undefined) continue;
    tx.delete(SEQUENCE_TABLE, key);
    await target.startSequence(name, last);
  }
}

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type { Pool } from "pg";
import type { Queryable } from "./postgres-queries.js";
import { StoreError } from "./store.js";

/** Table with the names of the migrations that have been applied. */
const VERSIONS = "gen_schema_versions";

/**
 * Key of the advisory lock that prevents several processes from migrating at
 * the same time. The value is arbitrary.
 */
const LOCK = 7_146_308_221;

/**
 * Creates the tables, or applies the migrations that are missing, in one
 * transaction. Processes that start at the same time wait for each other.
 *
 * @param prepare checks the database before the migrations; by default, data of
 *   an older version is an error
 * @throws StoreError if a newer version has migrated the database, or if the
 *   data of an older version has not been moved yet
 */
export async function migrate(
  pool: Pool,
  prepare: (client: Queryable) => Promise<void> = checkOldTable,
): Promise<void> {
  const folder = migrationsFolder();
  const client = await pool.connect();
  try {
    if (await isCurrent(client, folder)) return await prepare(client);
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    if (!(await isCurrent(client, folder))) {
      await prepare(client);
      // The lock of the library belongs to a session, which poolers share
      // between clients. The lock of the transaction replaces it.
      await runner({
        dbClient: client,
        dir: folder,
        direction: "up",
        migrationsTable: VERSIONS,
        noLock: true,
        singleTransaction: true,
        log: () => {},
        logger: SILENT,
      });
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

const SILENT = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/**
 * Tests whether all migrations have been applied.
 *
 * @throws StoreError if the database has migrations that this version does not
 *   know; it could write data that they do not allow
 */
async function isCurrent(client: Queryable, folder: string): Promise<boolean> {
  const { rows: found } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('${VERSIONS}') AS name`,
  );
  if (found[0]!.name === null) return false;
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${VERSIONS}`,
  );
  const known = readdirSync(folder).map((file) => path.parse(file).name);
  const unknown = rows.find(({ name }) => !known.includes(name));
  if (unknown !== undefined)
    throw new StoreError(
      "unavailable",
      `PostgreSQL: a newer version of gen has migrated the database (${unknown.name}); update this installation`,
    );
  return rows.length === known.length;
}

/** Table in which older versions stored all records. */
const OLD_TABLE = "gen_store";

/** Name of the old table until its records have been moved. */
export const RETIRED_TABLE = "gen_store_old";

/** Renames the table of an older version, so that its servers can't write. */
export async function retireOldTable(client: Queryable): Promise<void> {
  if (await isTable(client, OLD_TABLE))
    await client.query(`ALTER TABLE ${OLD_TABLE} RENAME TO ${RETIRED_TABLE}`);
}

/** @throws StoreError if the database has records of an older version */
export async function checkOldTable(client: Queryable): Promise<void> {
  for (const name of [OLD_TABLE, RETIRED_TABLE])
    if (await isTable(client, name))
      throw new StoreError(
        "unavailable",
        "PostgreSQL: the database has data of an older version; stop all servers, then run: gen store move --store URL",
      );
}

/** Tests whether a table exists. A view does not count. */
export async function isTable(
  client: Queryable,
  name: string,
): Promise<boolean> {
  const { rows } = await client.query<{ kind: string }>(
    "SELECT relkind AS kind FROM pg_class WHERE oid = to_regclass($1)",
    [name],
  );
  return rows[0]?.kind === "r";
}

/** First migration; every package has it. */
const FIRST = "migrations/0001_tables.sql";

/**
 * Returns the folder with the migrations in this package. Searches the parent
 * folders of this file.
 *
 * @throws Error if the package is incomplete
 */
function migrationsFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, FIRST))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error(`the package does not contain ${FIRST}`);
    folder = parent;
  }
  return path.dirname(path.join(folder, FIRST));
}

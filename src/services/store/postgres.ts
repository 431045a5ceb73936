import type { ClientBase, Pool } from "pg";
import { Overlay, type Changes } from "./overlay.js";
import { endOfPrefix, isKey } from "./keys.js";
import { Queue } from "./queue.js";
import { StoreError, type Range, type Reader, type Store } from "./store.js";

/** What both a pool and one of its connections can do. */
type Queryable = Pick<ClientBase, "query">;

/** Keys are bytes: they sort as such whatever the collation, and may hold NUL. */
const CREATE = `CREATE TABLE IF NOT EXISTS gen_store (
  tbl text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (tbl, key)
)`;

/** Any number that nobody else takes: two processes must not create the table at once. */
const CREATION_LOCK = 7_146_308_221;

/** How often a transaction runs before its caller hears that others were in the way. */
const ATTEMPTS = 30;

/**
 * Opens a store in a database of PostgreSQL, given as URL
 * (`postgresql://user@host/database`). Several processes may have it.
 *
 * @throws StoreError where the package `pg` is missing, or the database can't be reached.
 */
export async function postgresStore(url: string): Promise<Store> {
  const pool = await connect(url);
  const queue = new Queue();
  const base = reader(pool);
  return {
    ...base,
    transaction: (run) =>
      // One after the other here; among processes the database sees to it.
      queue.run(() =>
        retried(() =>
          inTransaction(pool, run as Parameters<typeof inTransaction>[1]),
        ),
      ) as ReturnType<typeof run>,
    async close() {
      await queue.idle();
      await pool.end();
    },
  };
}

async function connect(url: string): Promise<Pool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: 10_000,
  });
  // A connection that breaks while nobody uses it is replaced by the next one.
  pool.on("error", () => {});
  // One that breaks in use fails its next query; that is enough.
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await createTable(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw new StoreError("unavailable", `PostgreSQL: ${reasonOf(error)}`);
  }
}

/** Several addresses of a host give several errors, with no text of their own. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as AggregateError;
  return message === "" ? String(errors?.[0]?.message) : message;
}

async function createTable(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [CREATION_LOCK]);
    await client.query(CREATE);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

async function inTransaction<T>(
  pool: Pool,
  run: (transaction: Overlay) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
    const overlay = new Overlay(reader(client));
    const result = await run(overlay);
    await write(client, overlay.changes);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => (isBroken = true));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Serialization failures and deadlocks are nobody's fault: they go away by themselves. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (count === ATTEMPTS || (code !== "40001" && code !== "40P01"))
        throw error;
      const most = Math.min(500, 5 * 2 ** Math.min(count, 7));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
    }
  }
}

/** Rows in one statement at most. */
const ROWS = 5000;

async function write(client: Queryable, changes: Changes): Promise<void> {
  for (const [table, rows] of changes) {
    const all = [...rows];
    for (let at = 0; at < all.length; at += ROWS)
      await writeRows(client, table, all.slice(at, at + ROWS));
  }
}

async function writeRows(
  client: Queryable,
  table: string,
  rows: readonly (readonly [string, string | undefined])[],
): Promise<void> {
  const kept = rows.filter(([, value]) => value !== undefined);
  const gone = rows.filter(([, value]) => value === undefined);
  if (gone.length > 0)
    await client.query(
      "DELETE FROM gen_store WHERE tbl = $1 AND key = ANY($2::bytea[])",
      [table, gone.map(([key]) => Buffer.from(key))],
    );
  if (kept.length > 0)
    await client.query(
      `INSERT INTO gen_store (tbl, key, value)
       SELECT $1, * FROM unnest($2::bytea[], $3::text[])
       ON CONFLICT (tbl, key) DO UPDATE SET value = excluded.value`,
      [
        table,
        kept.map(([key]) => Buffer.from(key)),
        kept.map(([, value]) => value),
      ],
    );
}

function reader(client: Queryable): Reader {
  return {
    async get<T>(table: string, key: string) {
      if (!isKey(key)) return undefined;
      const { rows } = await client.query<{ value: string }>(
        "SELECT value FROM gen_store WHERE tbl = $1 AND key = $2",
        [table, Buffer.from(key)],
      );
      return rows[0] === undefined
        ? undefined
        : (JSON.parse(rows[0].value) as T);
    },
    async list<T>(table: string, range: Range = {}) {
      const { limit = Infinity, offset = 0, isReverse = false } = range;
      const { text, values } = conditions(table, range);
      const { rows } = await client.query<{ key: Buffer; value: string }>(
        `SELECT key, value FROM gen_store WHERE ${text}
         ORDER BY key ${isReverse ? "DESC" : "ASC"}
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        [...values, limit === Infinity ? null : limit, offset],
      );
      return rows.map(({ key, value }) => ({
        key: key.toString(),
        value: JSON.parse(value) as T,
      }));
    },
    async count(table, prefix = "") {
      const { text, values } = conditions(table, { prefix });
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM gen_store WHERE ${text}`,
        values,
      );
      return Number(rows[0]!.count);
    },
  };
}

function conditions(
  table: string,
  { prefix = "", after, isReverse = false }: Range,
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [table];
  const bound = (operator: string, value: string | undefined): string =>
    value === undefined
      ? ""
      : ` AND key ${operator} $${values.push(Buffer.from(value))}`;
  const text =
    "tbl = $1" +
    bound(">=", prefix) +
    bound("<", endOfPrefix(prefix)) +
    bound(isReverse ? "<" : ">", after);
  return { text, values };
}

import type { ClientBase, Pool, PoolClient, QueryResult } from "pg";
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

/** Runs of a transaction that conflicts with others before its caller gets the conflict. */
const ATTEMPTS = 30;

/**
 * Bounds in milliseconds; parameters of the URL (`?statement_timeout=60000`) replace them.
 * A statement that hangs ends by the database's own timeout, or, where the database itself
 * does not respond, by ours.
 */
const TIMES = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 30_000,
};

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
    isShared: true,
    transaction: (run) =>
      // One after the other in this process; the database sees to other processes.
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
    keepAlive: true,
    ...TIMES,
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
    throw unavailable(error);
  }
}

/** Several addresses of a host give several errors, without a text of their own. */
function unavailable(error: unknown): StoreError {
  const { message, errors } = error as AggregateError;
  const reason = message === "" ? String(errors?.[0]?.message) : message;
  return new StoreError("unavailable", `PostgreSQL: ${reason}`, error);
}

/** @throws StoreError for every failure of the database; its cause is PostgreSQL's own error */
async function query<T extends object>(
  client: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<QueryResult<T>> {
  try {
    return await client.query<T>(text, values);
  } catch (error) {
    throw unavailable(error);
  }
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
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  try {
    await query(client, "BEGIN ISOLATION LEVEL SERIALIZABLE");
    const overlay = new Overlay(reader(client));
    const result = await run(overlay);
    await write(client, overlay.changes);
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await giveUp(client, error);
    throw error;
  }
}

/**
 * A transaction one of whose statements failed ends as a rollback that PostgreSQL reports
 * without an error, also where the caller has caught the failure.
 */
async function commit(client: Queryable): Promise<void> {
  const { command } = await query(client, "COMMIT");
  if (command !== "COMMIT")
    throw new StoreError("unavailable", "PostgreSQL: the transaction failed");
}

/** A connection whose statement got no response is closed: a rollback would wait as long again. */
async function giveUp(client: PoolClient, error: unknown): Promise<void> {
  const isAnswered =
    !(error instanceof StoreError) || codeOf(error) !== undefined;
  const isFree =
    isAnswered &&
    (await client.query("ROLLBACK").then(
      () => true,
      () => false,
    ));
  client.release(!isFree);
}

/** PostgreSQL's code of a failure; undefined for one that the database did not report itself. */
function codeOf(error: unknown): string | undefined {
  const { code, severity } = Object((error as Error | undefined)?.cause) as {
    readonly code?: string;
    readonly severity?: string;
  };
  return severity === undefined ? undefined : code;
}

/** Serialization failures and deadlocks are temporary: the transaction runs again. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const code = codeOf(error);
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
    await query(
      client,
      "DELETE FROM gen_store WHERE tbl = $1 AND key = ANY($2::bytea[])",
      [table, gone.map(([key]) => Buffer.from(key))],
    );
  if (kept.length > 0)
    await query(
      client,
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
      const { rows } = await query<{ value: string }>(
        client,
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
      const { rows } = await query<{ key: Buffer; value: string }>(
        client,
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
      const { rows } = await query<{ count: string }>(
        client,
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

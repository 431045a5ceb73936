import type { Pool, PoolClient } from "pg";
import { Overlay } from "./overlay.js";
import {
  execute,
  isSharedConnectionError,
  POOL_SIZE,
  query,
  unavailableError,
  type DatabaseAddress,
  type Queryable,
} from "./postgres-queries.js";
import { postgresReader } from "./postgres-reader.js";
import { migrate } from "./postgres-schema.js";
import { writeChanges } from "./postgres-writer.js";
import { Queue } from "./queue.js";
import { relations } from "./relations.js";
import { StoreError, type SequenceName, type Store } from "./store.js";

/**
 * Maximum number of attempts for a transaction with conflicts. The error of the
 * last attempt is reported.
 */
const MAX_ATTEMPTS = 30;

/**
 * Timeouts of the client in milliseconds. `query_timeout` applies if the
 * database does not respond; a parameter of the URL overrides it
 * (`?query_timeout=60000`).
 */
const CLIENT_TIMEOUTS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 12_000,
};

/**
 * Default timeouts of the database for the statements of a transaction, in
 * milliseconds. Parameters of the URL override them. They are set in each
 * transaction instead of at the start of a connection, because connection
 * poolers such as PgBouncer reject them there and share connections between
 * clients.
 */
const TRANSACTION_TIMEOUTS = {
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * Milliseconds for which the start of a server waits until the database accepts
 * connections.
 */
const START_TIME = 30_000;

/**
 * SQLSTATE codes of a database that will accept connections later: too many
 * connections, and the database is starting.
 */
const TEMPORARY = new Set(["53300", "57P03"]);

/**
 * Opens a store in a PostgreSQL database (`postgresql://user@host/database`).
 * Several processes can use it.
 *
 * @throws StoreError if the package `pg` is missing or the database can't be
 *   reached
 */
export async function postgresStore(
  url: string,
  prepare?: Parameters<typeof migrate>[1],
): Promise<PostgresStore> {
  const { connection, begin, poolSize } = readUrl(url);
  const { pool, address } = await connect(connection, poolSize, prepare);
  const queue = new Queue();
  const client: Queryable = {
    ...address,
    // A query outside of a transaction is repeated if the connection is shared.
    query: (async (...args: Parameters<Pool["query"]>) => {
      try {
        return await pool.query(...args);
      } catch (error) {
        if (!isSharedConnectionError(error)) throw error;
        const [{ text, values }] = args as unknown as [
          { readonly text: string; readonly values: unknown[] },
        ];
        return pool.query(text, values);
      }
    }) as Queryable["query"],
  };
  return {
    ...postgresReader(client),
    isShared: true,
    pool,
    async rows<T extends object>(text: string, values: unknown[]) {
      return (await query<T>(client, text, values)).rows;
    },
    async tables() {
      const { rows } = await query<{ tbl: string }>(
        client,
        "SELECT DISTINCT tbl FROM gen_records",
      );
      return [...Object.keys(relations), ...rows.map(({ tbl }) => tbl)];
    },
    async startSequence(name, last) {
      await query(client, "SELECT setval($1::regclass, $2)", [
        SEQUENCES[name],
        last,
      ]);
    },
    async time() {
      const { rows } = await query<{ time: number }>(
        client,
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time",
      );
      return rows[0]!.time;
    },
    transaction: (run) =>
      // Transactions of this process run one after the other. The database
      // serializes them with transactions of other processes.
      queue.run(() =>
        withRetries(() =>
          inTransaction(
            pool,
            begin,
            run as Parameters<typeof inTransaction>[2],
          ),
        ),
      ) as ReturnType<typeof run>,
    async close() {
      await queue.idle();
      await pool.end();
    },
  };
}

/** Store in PostgreSQL, with its connections. */
export interface PostgresStore extends Store {
  readonly pool: Pool;
  rows: NonNullable<Store["rows"]>;
  /** Sets the last id of a sequence. The change can't be rolled back. */
  startSequence(name: SequenceName, last: number): Promise<void>;
}

/**
 * Range of the number of connections of a process. A process with the migration
 * service keeps two open.
 */
const POOL_RANGE = { min: 4, max: 1_000 };

/**
 * Separates the timeouts of transactions and `pool_size` from the other
 * parameters of a URL. Returns the URL without them, and the statements that
 * begin a transaction.
 *
 * @throws StoreError if a timeout is not a number of milliseconds, or the size of
 *   the pool is not in its range
 */
function readUrl(text: string): {
  readonly connection: string;
  readonly begin: string;
  readonly poolSize: number;
} {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const poolSize = poolSizeOf(url?.searchParams.get("pool_size"));
  url?.searchParams.delete("pool_size");
  const settings = Object.entries(TRANSACTION_TIMEOUTS).map(
    ([name, standard]) => {
      const value = url?.searchParams.get(name) ?? String(standard);
      if (!/^\d{1,9}$/.test(value))
        throw new StoreError(
          "unavailable",
          `${name} in the URL of the store must be a number of milliseconds, not '${value}'`,
        );
      url?.searchParams.delete(name);
      return `SET LOCAL ${name} = ${value}`;
    },
  );
  const begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE", ...settings].join("; ");
  return { connection: url?.href ?? text, begin, poolSize };
}

function poolSizeOf(text: string | null | undefined): number {
  if (typeof text !== "string") return POOL_SIZE;
  const { min, max } = POOL_RANGE;
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (size >= min && size <= max) return size;
  throw new StoreError(
    "unavailable",
    `pool_size in the URL of the store must be an integer from ${min} to ${max}, not '${text}'`,
  );
}

async function connect(
  url: string,
  poolSize: number,
  prepare: Parameters<typeof migrate>[1],
): Promise<{ readonly pool: Pool; readonly address: DatabaseAddress }> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    ...CLIENT_TIMEOUTS,
  });
  // Errors of idle connections are ignored, because the pool replaces such
  // connections.
  pool.on("error", () => {});
  // Errors of connections in use are ignored here, because the next query
  // reports them.
  pool.on("connect", (client) => client.on("error", () => {}));
  const end = performance.now() + START_TIME;
  for (let delay = 250; ; delay = Math.min(2 * delay, 4_000)) {
    try {
      await migrate(pool, prepare);
      const { host, port, database } = new pg.Client(url);
      return { pool, address: { host, port, database } };
    } catch (error) {
      const { code = "" } = error as { readonly code?: string };
      const isTemporary = TEMPORARY.has(code);
      if (!isTemporary || performance.now() + delay > end) {
        await pool.end();
        throw error instanceof StoreError ? error : unavailableError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  run: (transaction: Overlay) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailableError(error);
  });
  try {
    await execute(client, begin);
    const overlay = new Overlay(postgresReader(client), (sequence) =>
      nextValue(client, sequence),
    );
    const result = await run(overlay);
    await writeChanges(client, overlay.changes);
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await rollBack(client, error);
    throw error;
  }
}

/** Names of sequences, which can't be parameters of a query. */
const SEQUENCES: Readonly<Record<SequenceName, string>> = {
  account: "gen_account_ids",
  migration: "gen_migration_ids",
  repository: "gen_repository_ids",
};

async function nextValue(
  client: Queryable,
  name: SequenceName,
): Promise<number> {
  const { rows } = await query<{ id: string }>(
    client,
    "SELECT nextval($1::regclass) AS id",
    [SEQUENCES[name]],
  );
  return Number(rows[0]!.id);
}

/**
 * Commits a transaction. If a statement has failed and the caller has caught
 * its error, PostgreSQL rolls back without reporting an error. Only the command
 * tag of the response shows this, so the tag is checked.
 */
async function commit(client: Queryable): Promise<void> {
  const { command } = await execute(client, "COMMIT");
  if (command !== "COMMIT")
    throw new StoreError("unavailable", "PostgreSQL: the transaction failed");
}

/**
 * Rolls back a transaction. If the database did not respond to a statement, the
 * connection is closed instead, because a rollback would also time out.
 */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  const hasResponse =
    !(error instanceof StoreError) || codeOf(error) !== undefined;
  const isReusable =
    hasResponse &&
    (await client.query("ROLLBACK").then(
      () => true,
      () => false,
    ));
  client.release(!isReusable);
}

/**
 * Returns the SQLSTATE code of an error; undefined if the error does not come
 * from the database.
 */
function codeOf(error: unknown): string | undefined {
  const { code, severity } = Object((error as Error | undefined)?.cause) as {
    readonly code?: string;
    readonly severity?: string;
  };
  return severity === undefined ? undefined : code;
}

/**
 * Retries a transaction after serialization failures and deadlocks, with random
 * delays in between.
 */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const code = codeOf(error);
      const isConflict = code === "40001" || code === "40P01";
      const { cause } = Object(error) as { readonly cause?: unknown };
      if (count === MAX_ATTEMPTS) throw error;
      if (!isConflict && !isSharedConnectionError(cause)) throw error;
      const maxDelay = Math.min(500, 5 * 2 ** Math.min(count, 7));
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * maxDelay),
      );
    }
  }
}

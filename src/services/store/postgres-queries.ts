import type { ClientBase, QueryResult } from "pg";
import { type Changes, endOfPrefix, isKey } from "./overlay.js";
import { StoreError, type KeyRange, type StoreReader } from "./store.js";

/** Connection pool or single connection that sends queries. */
export type Queryable = Pick<ClientBase, "query">;

/** Maximum number of connections of a process to the database. */
export const POOL_SIZE = 8;

/** SQLSTATE code of a database without free connections. */
const TOO_MANY_CONNECTIONS = "53300";

const CONNECTION_ADVICE = `. Each process of gen serve uses up to ${POOL_SIZE} connections: increase max_connections of the database, or connect through a pooler such as PgBouncer`;

/**
 * Converts an error to a StoreError. If a host has several addresses, the error
 * is an AggregateError without a message, so its first error is used.
 */
export function unavailableError(error: unknown): StoreError {
  const { message, errors } = error as AggregateError;
  const reason = message === "" ? String(errors?.[0]?.message) : message;
  const { code } = error as { readonly code?: string };
  const advice = code === TOO_MANY_CONNECTIONS ? CONNECTION_ADVICE : "";
  return new StoreError("unavailable", `PostgreSQL: ${reason}${advice}`, error);
}

/**
 * @throws StoreError for every failure of the database; its cause is the
 *   original error of PostgreSQL
 */
export async function query<T extends object>(
  client: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<QueryResult<T>> {
  try {
    return await client.query<T>(text, values);
  } catch (error) {
    throw unavailableError(error);
  }
}

/** Maximum number of rows that one statement writes. */
const MAX_ROWS = 5000;

/** Writes the changes of a transaction to the database. */
export async function writeChanges(
  client: Queryable,
  changes: Changes,
): Promise<void> {
  for (const [table, rows] of changes) {
    const changedRows = [...rows];
    for (let at = 0; at < changedRows.length; at += MAX_ROWS)
      await writeRows(client, table, changedRows.slice(at, at + MAX_ROWS));
  }
}

async function writeRows(
  client: Queryable,
  table: string,
  rows: readonly (readonly [string, string | undefined])[],
): Promise<void> {
  const updated = rows.filter(([, value]) => value !== undefined);
  const deleted = rows.filter(([, value]) => value === undefined);
  if (deleted.length > 0)
    await query(
      client,
      "DELETE FROM gen_store WHERE tbl = $1 AND key = ANY($2::bytea[])",
      [table, deleted.map(([key]) => Buffer.from(key))],
    );
  if (updated.length > 0)
    await query(
      client,
      `INSERT INTO gen_store (tbl, key, value)
       SELECT $1, * FROM unnest($2::bytea[], $3::text[])
       ON CONFLICT (tbl, key) DO UPDATE SET value = excluded.value`,
      [
        table,
        updated.map(([key]) => Buffer.from(key)),
        updated.map(([, value]) => value),
      ],
    );
}

/**
 * Returns a reader of tables that sends its queries to a connection pool or a
 * single connection.
 */
export function tableReader(client: Queryable): StoreReader {
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
    async list<T>(table: string, range: KeyRange = {}) {
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
  { prefix = "", after, isReverse = false }: KeyRange,
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

import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { StoreError } from "./store.js";

/** Connection pool or single connection that sends queries. */
export type Queryable = Pick<ClientBase, "query">;

/** Default maximum of the connections of a process to the database. */
export const POOL_SIZE = 8;

/** SQLSTATE code of a database without free connections. */
const TOO_MANY_CONNECTIONS = "53300";

const CONNECTION_ADVICE = `. Each process of gen serve uses up to ${POOL_SIZE} connections, or pool_size in the URL of the store: increase max_connections of the database, or connect through a pooler such as PgBouncer`;

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
 * Set to false after the first error that shows that connections are shared
 * with other clients (PgBouncer in transaction mode before version 1.21).
 * Statements are then sent without names, so that they are not prepared.
 */
let canPrepare = true;

/**
 * SQLSTATE codes of prepared statements on shared connections: the statement is
 * missing, or another client has prepared it.
 */
const PREPARED_STATEMENT_ERRORS = new Set(["26000", "42P05"]);

/**
 * Tests whether an error is caused by a shared connection. If so, statements
 * are no longer prepared, and the caller repeats the query or transaction.
 */
export function isSharedConnectionError(error: unknown): boolean {
  const { code = "" } = Object(error) as { readonly code?: string };
  if (!PREPARED_STATEMENT_ERRORS.has(code)) return false;
  canPrepare = false;
  return true;
}

/**
 * Sends a prepared statement: the database parses and plans it once for each
 * connection. The name of a statement is a hash of its text, so that different
 * statements never have the same name.
 *
 * @throws StoreError for every failure of the database; its cause is the
 *   original error of PostgreSQL
 */
export async function query<T extends object>(
  client: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<QueryResult<T>> {
  const name = nameOf(text);
  try {
    return await client.query<T>(
      canPrepare ? { name, text, values } : { text, values },
    );
  } catch (error) {
    throw unavailableError(error);
  }
}

/** Names of statements by their texts, of which there are few. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `gen_${createHash("sha1").update(text).digest("base64url")}`;
  names.set(text, name);
  return name;
}

/**
 * Sends statements without values, such as those of a transaction's start.
 *
 * @throws StoreError for every failure of the database
 */
export async function execute(
  client: Queryable,
  text: string,
): Promise<QueryResult> {
  try {
    return await client.query(text);
  } catch (error) {
    throw unavailableError(error);
  }
}

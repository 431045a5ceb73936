import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { tracer, type SpanAttributes } from "../spans.js";
import { StoreError } from "./store.js";

/** Connection pool or single connection that sends queries, and its address. */
export interface Queryable extends Pick<ClientBase, "query">, DatabaseAddress {}

/** Address of a database, as the package `pg` has it. */
export interface DatabaseAddress {
  readonly host?: string;
  readonly port?: number;
  readonly database?: string | undefined;
}

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
export function query<T extends object>(
  client: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<QueryResult<T>> {
  const name = nameOf(text);
  return observed(client, text, () =>
    client.query<T>(canPrepare ? { name, text, values } : { text, values }),
  );
}

/** Sends a query in a span, and converts its error. */
async function observed<T>(
  client: Queryable,
  text: string,
  send: () => Promise<T>,
): Promise<T> {
  const span = tracer?.startClient(summaryOf(text), attributesOf(client, text));
  try {
    const result = await send();
    span?.end();
    return result;
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string };
    span?.end(code ?? name ?? "_OTHER");
    throw unavailableError(error);
  }
}

/**
 * Returns the attributes of a query. Its text has no values of callers: they
 * are parameters.
 */
function attributesOf(
  { host, port, database }: DatabaseAddress,
  text: string,
): SpanAttributes {
  return {
    "db.system.name": "postgresql",
    "db.query.summary": summaryOf(text),
    "db.query.text": text,
    ...(database === undefined ? {} : { "db.namespace": database }),
    ...(host === undefined ? {} : { "server.address": host }),
    ...(port === undefined ? {} : { "server.port": port }),
  };
}

/** Returns the operation and the first table of a query. */
function summaryOf(text: string): string {
  const [operation = ""] = /\w+/.exec(text) ?? [];
  const [table = ""] = /\bgen_\w+/.exec(text) ?? [];
  return `${operation} ${table}`.trim();
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
export function execute(client: Queryable, text: string): Promise<QueryResult> {
  return observed(client, text, () => client.query(text));
}

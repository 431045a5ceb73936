import { endOfPrefix, isKey } from "./overlay.js";
import { query, type Queryable } from "./postgres-queries.js";
import {
  keyOfRow,
  recordOf,
  relationOf,
  selection,
  splitKey,
  type Relation,
  type Row,
} from "./relations.js";
import type { Entry, KeyRange, StoreReader } from "./store.js";

/** Rows of a table, selected by key or range of keys. */
interface TableReader {
  get(key: string): Promise<unknown>;
  list(range: KeyRange): Promise<readonly Entry<unknown>[]>;
  count(prefix: string): Promise<number>;
  existing(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Returns a reader of tables that sends its queries to a connection pool or a
 * single connection. Each read is one query.
 */
export function postgresReader(client: Queryable): StoreReader {
  const tableOf = (table: string): TableReader => {
    const relation = relationOf(table);
    return relation === undefined
      ? recordsReader(client, table)
      : relationReader(client, relation);
  };
  return {
    get: <T>(table: string, key: string) =>
      tableOf(table).get(key) as Promise<T | undefined>,
    list: <T>(table: string, range: KeyRange = {}) =>
      tableOf(table).list(range) as Promise<readonly Entry<T>[]>,
    count: (table, prefix = "") => tableOf(table).count(prefix),
    existing: (table, keys) => tableOf(table).existing(keys),
  };
}

function relationReader(client: Queryable, relation: Relation): TableReader {
  const { name: table, keys } = relation;
  const names = keys.map(({ name }) => name).join(", ");
  const run = async (text: string, values: unknown[]): Promise<Row[]> =>
    (await query<Row>(client, text, values)).rows;
  return {
    async get(key) {
      const parts = splitKey(relation, key);
      if (parts === undefined) return undefined;
      const where = keys.map(({ name }, at) => `${name} = $${at + 1}`);
      const [row] = await run(
        `SELECT ${selection(relation)} FROM ${table} WHERE ${where.join(" AND ")}`,
        [...parts],
      );
      return row === undefined ? undefined : recordOf(relation, row);
    },
    async list(range) {
      const { limit = Infinity, offset = 0, isReverse = false } = range;
      const { where, values } = conditionsOf(relation, range);
      const order = isReverse ? "DESC" : "ASC";
      const rows = await run(
        `SELECT ${selection(relation)} FROM ${table}${where}
         ORDER BY ${keys.map(({ name }) => `${name} ${order}`).join(", ")}
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        [...values, limit === Infinity ? null : limit, offset],
      );
      return rows.map((row) => ({
        key: keyOfRow(relation, row),
        value: recordOf(relation, row),
      }));
    },
    async count(prefix) {
      const { where, values } = conditionsOf(relation, { prefix });
      const [row] = await run(`SELECT count(*) FROM ${table}${where}`, values);
      return Number(row!["count"]);
    },
    async existing(wanted) {
      const parts = wanted
        .map((key) => splitKey(relation, key))
        .filter((part) => part !== undefined);
      const lists = keys.map(
        ({ type }, at) => `$${at + 1}::${type === "id" ? "bigint" : "text"}[]`,
      );
      const rows = await run(
        `SELECT ${names} FROM ${table} WHERE (${names}) IN (SELECT * FROM unnest(${lists.join(", ")}))`,
        keys.map((_, at) => parts.map((part) => part[at])),
      );
      return new Set(rows.map((row) => keyOfRow(relation, row)));
    },
  };
}

/**
 * Returns the condition for a range of keys. The prefix must be empty or the
 * first part of a key with its slash. `after` is a key, or a text of the first
 * column.
 *
 * @throws TypeError for another prefix or key, because it would select
 *   different rows than in the other stores
 */
function conditionsOf(
  relation: Relation,
  { prefix = "", after, isReverse = false }: KeyRange,
): { readonly where: string; readonly values: unknown[] } {
  const { keys } = relation;
  const values: unknown[] = [];
  const conditions: string[] = [];
  if (prefix !== "") {
    const first = prefix.slice(0, -1);
    if (keys.length < 2 || !prefix.endsWith("/") || first.includes("/"))
      throw new TypeError(`${prefix} is not a prefix of ${relation.name}`);
    conditions.push(`${keys[0]!.name} = $${values.push(first)}`);
  }
  if (after !== undefined) {
    const parts = splitKey(relation, after);
    if (parts === undefined)
      throw new TypeError(`${after} is not a key of ${relation.name}`);
    const marks = parts.map((part) => `$${values.push(part)}`);
    const names = keys.map(({ name }) => name).join(", ");
    conditions.push(
      `(${names}) ${isReverse ? "<" : ">"} (${marks.join(", ")})`,
    );
  }
  const where =
    conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return { where, values };
}

/** Reader of a table that has no relation; its rows are in `gen_records`. */
function recordsReader(client: Queryable, table: string): TableReader {
  return {
    async get(key) {
      if (!isKey(key)) return undefined;
      const { rows } = await query<{ value: string }>(
        client,
        "SELECT value FROM gen_records WHERE tbl = $1 AND key = $2",
        [table, Buffer.from(key)],
      );
      return rows[0] === undefined ? undefined : JSON.parse(rows[0].value);
    },
    async list(range) {
      const { limit = Infinity, offset = 0, isReverse = false } = range;
      const { text, values } = recordConditions(table, range);
      const { rows } = await query<{ key: Buffer; value: string }>(
        client,
        `SELECT key, value FROM gen_records WHERE ${text}
         ORDER BY key ${isReverse ? "DESC" : "ASC"}
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        [...values, limit === Infinity ? null : limit, offset],
      );
      return rows.map(({ key, value }) => ({
        key: key.toString(),
        value: JSON.parse(value) as unknown,
      }));
    },
    async count(prefix) {
      const { text, values } = recordConditions(table, { prefix });
      const { rows } = await query<{ count: string }>(
        client,
        `SELECT count(*) FROM gen_records WHERE ${text}`,
        values,
      );
      return Number(rows[0]!.count);
    },
    async existing(keys) {
      const { rows } = await query<{ key: Buffer }>(
        client,
        "SELECT key FROM gen_records WHERE tbl = $1 AND key = ANY($2::bytea[])",
        [table, keys.filter(isKey).map((key) => Buffer.from(key))],
      );
      return new Set(rows.map(({ key }) => key.toString()));
    },
  };
}

function recordConditions(
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

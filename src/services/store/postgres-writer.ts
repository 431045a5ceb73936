import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ClientBase } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Changes } from "./overlay.js";
import { execute, query, unavailableError } from "./postgres-queries.js";
import { relationOf, rowOf, splitKey, type Relation } from "./relations.js";

/** Number of rows from which COPY is used instead of a statement with values. */
const COPY_ROWS = 1000;

/** Writes the changes of a transaction to the database. */
export async function writeChanges(
  client: ClientBase,
  changes: Changes,
): Promise<void> {
  for (const [table, rows] of changes) {
    const deleted = [...rows]
      .filter(([, value]) => value === undefined)
      .map(([key]) => key);
    const written = [...rows].filter(
      (row): row is [string, string] => row[1] !== undefined,
    );
    const relation = relationOf(table);
    if (relation?.isReadOnly === true) continue;
    if (deleted.length > 0)
      await (relation === undefined
        ? deleteRecords(client, table, deleted)
        : deleteRows(client, relation, deleted));
    if (written.length > 0)
      await (relation === undefined
        ? writeRecords(client, table, written)
        : writeRows(client, relation, written));
  }
}

async function deleteRows(
  client: ClientBase,
  relation: Relation,
  keys: readonly string[],
): Promise<void> {
  const names = relation.keys.map(({ name }) => name).join(", ");
  const parts = keys
    .map((key) => splitKey(relation, key))
    .filter((part) => part !== undefined);
  const lists = relation.keys.map(
    ({ type }, at) => `$${at + 1}::${type === "id" ? "bigint" : "text"}[]`,
  );
  await query(
    client,
    `DELETE FROM ${relation.name} WHERE (${names}) IN (SELECT * FROM unnest(${lists.join(", ")}))`,
    relation.keys.map((_, at) => parts.map((part) => part[at])),
  );
}

/**
 * Inserts rows, or replaces the rows with the same keys. The database converts
 * JSON objects to rows, so both ways of sending them share one statement.
 */
async function writeRows(
  client: ClientBase,
  relation: Relation,
  rows: readonly (readonly [string, string])[],
): Promise<void> {
  const objects = rows.map(([key, text]) =>
    rowOf(relation, key, JSON.parse(text)),
  );
  const isLarge = objects.length >= COPY_ROWS;
  if (isLarge) await copy(client, objects);
  const source = isLarge
    ? `gen_rows, json_populate_record(NULL::${relation.name}, gen_rows.object)`
    : `json_populate_recordset(NULL::${relation.name}, $1::json)`;
  await query(
    client,
    upsert(relation, source),
    isLarge ? [] : [jsonOf(objects)],
  );
  if (isLarge) await execute(client, "DROP TABLE gen_rows");
}

function upsert(
  { name: table, keys, columns, content }: Relation,
  source: string,
): string {
  const keyNames = keys.map(({ name }) => name).join(", ");
  const names = [
    ...columns.map(({ name }) => name),
    ...(content === "members" ? ["other"] : []),
  ];
  const updates = names.map((name) => `${name} = EXCLUDED.${name}`);
  const all = [keyNames, ...names].join(", ");
  return `INSERT INTO ${table} (${all}) SELECT ${all} FROM ${source}
    ON CONFLICT (${keyNames}) DO UPDATE SET ${updates.join(", ")}`;
}

/** Sends JSON objects with COPY to a temporary table. */
async function copy(
  client: ClientBase,
  objects: readonly object[],
): Promise<void> {
  await execute(
    client,
    "CREATE TEMPORARY TABLE gen_rows (object json) ON COMMIT DROP",
  );
  try {
    await pipeline(
      Readable.from(linesOf(objects)),
      client.query(copyFrom("COPY gen_rows FROM STDIN")),
    );
  } catch (error) {
    throw unavailableError(error);
  }
}

/**
 * Converts a value to JSON. Characters that a text of PostgreSQL can't contain
 * (NUL and lone surrogates, which are always escaped) become U+FFFD.
 */
function jsonOf(value: object): string {
  return JSON.stringify(value).replace(
    /\\\\|\\u(?:0000|d[0-9a-f]{3})/g,
    (escape) => (escape === "\\\\" ? escape : "\ufffd"),
  );
}

/** Number of objects that are sent at a time. */
const BATCH = 500;

/** Yields objects in the text format of COPY, in which backslashes are escaped. */
function* linesOf(objects: readonly object[]): Generator<string> {
  for (let at = 0; at < objects.length; at += BATCH)
    yield objects
      .slice(at, at + BATCH)
      .map((object) => `${jsonOf(object).replaceAll("\\", "\\\\")}\n`)
      .join("");
}

/** Maximum number of records that one statement writes. */
const MAX_RECORDS = 5000;

async function deleteRecords(
  client: ClientBase,
  table: string,
  keys: readonly string[],
): Promise<void> {
  await query(
    client,
    "DELETE FROM gen_records WHERE tbl = $1 AND key = ANY($2::bytea[])",
    [table, keys.map((key) => Buffer.from(key))],
  );
}

async function writeRecords(
  client: ClientBase,
  table: string,
  records: readonly (readonly [string, string])[],
): Promise<void> {
  for (let at = 0; at < records.length; at += MAX_RECORDS) {
    const part = records.slice(at, at + MAX_RECORDS);
    await query(
      client,
      `INSERT INTO gen_records (tbl, key, value)
       SELECT $1, * FROM unnest($2::bytea[], $3::text[])
       ON CONFLICT (tbl, key) DO UPDATE SET value = EXCLUDED.value`,
      [
        table,
        part.map(([key]) => Buffer.from(key)),
        part.map(([, value]) => value),
      ],
    );
  }
}

// This file is longer than 400 lines, because it contains the table of all
// relations and the conversions of their rows.

import { isKey } from "./overlay.js";

/**
 * Type of a column, by the value in a record: `time` is a time in ISO 8601
 * format, `milliseconds` is a time in milliseconds since 1970, and `json` is
 * any JSON value.
 */
type ColumnType =
  "text" | "number" | "boolean" | "texts" | "time" | "milliseconds" | "json";

/** Column of a table in PostgreSQL for a member of a record. */
interface Column {
  readonly name: string;
  readonly member: string;
  readonly type: ColumnType;
  /** True if the member is null instead of absent when the column is NULL. */
  readonly isNullable: boolean;
}

/** Column of a primary key. `id` is a positive integer, padded in keys. */
interface KeyColumn {
  readonly name: string;
  readonly type: "text" | "id";
}

/**
 * Table in PostgreSQL that contains the records of a table of the services. The
 * primary key has the parts of the record's key, which are separated by `/`.
 */
export interface Relation {
  readonly name: string;
  readonly keys: readonly KeyColumn[];
  /** Columns that are not part of the primary key. */
  readonly columns: readonly Column[];
  /**
   * Members of the record that are also parts of its key, by the name of their
   * key column. They are not stored a second time.
   */
  readonly keyMembers: Readonly<Record<string, string>>;
  /**
   * `members` for records that are objects, `value` for records that are the
   * value of the only column, `none` for records without a value, which are
   * `true`.
   */
  readonly content: "members" | "value" | "none";
  /** True if another relation writes the rows, such as those of an index. */
  readonly isReadOnly: boolean;
}

/** Returns the name of the column with a member: the member in snake case. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Parses columns. `?` after a type marks a member that can be null.
 */
function columnsOf(members: Readonly<Record<string, string>>): Column[] {
  return Object.entries(members).map(([member, type]) => ({
    name: columnOf(member),
    member,
    type: type.replace("?", "") as ColumnType,
    isNullable: type.endsWith("?"),
  }));
}

function keysOf(text: string): KeyColumn[] {
  return text.split("/").map((part) => {
    const [name = "", type = "text"] = part.split(":");
    return { name, type: type as KeyColumn["type"] };
  });
}

function relation(
  name: string,
  keys: string,
  members: Readonly<Record<string, string>>,
  options: Partial<Relation> = {},
): Relation {
  return {
    name,
    keys: keysOf(keys),
    columns: columnsOf(members),
    keyMembers: {},
    content: "members",
    isReadOnly: false,
    ...options,
  };
}

/**
 * Tables in PostgreSQL, keyed by the name of the services' table. The
 * statements that create them are in `migrations/`. Tables without a row are
 * stored in `gen_records`.
 */
export const relations: Readonly<Record<string, Relation>> = {
  "marketplace.owners": relation(
    "gen_owners",
    "username",
    {
      firstname: "text",
      lastname: "text",
      email: "text",
      balance: "number",
      currency: "text",
      profile: "json",
      registeredAt: "time",
      suspendedAt: "time",
    },
    { keyMembers: { username: "username" } },
  ),
  "marketplace.keys": relation("gen_keys", "id", {
    owner: "text",
    hash: "text",
    createdAt: "time",
    expiresAt: "time",
  }),
  "marketplace.key-uses": relation("gen_key_uses", "id", {
    lastUsedAt: "time",
  }),
  "marketplace.keys-of": relation(
    "gen_keys",
    "owner/id",
    {},
    { content: "none", isReadOnly: true },
  ),
  "marketplace.items": relation(
    "gen_items",
    "owner/id:id",
    {
      kind: "text",
      state: "text",
      hasSupport: "boolean",
      name: "text",
      description: "text",
      category: "text",
      subCategory: "text",
      options: "texts",
      version: "text",
      demoLink: "text",
      tags: "texts",
      thumbnail: "text",
      previewImage: "text",
      previewVideo: "text",
      previewAudio: "text",
      screenshots: "texts",
      regularPrice: "number",
      extendedPrice: "number",
      currency: "text",
      publishedAt: "time",
    },
    { keyMembers: { id: "id" } },
  ),
  "marketplace.versions": relation(
    "gen_item_versions",
    "owner",
    { version: "number" },
    { content: "value" },
  ),
  "marketplace.purchases": relation(
    "gen_purchases",
    "owner/code",
    {
      licenseType: "text",
      price: "number",
      currency: "text",
      itemId: "number",
      supportedUntil: "time",
      isDownloaded: "boolean",
      date: "time",
      requestId: "text",
      requestHash: "text",
    },
    { keyMembers: { code: "code" } },
  ),
  "marketplace.sales": relation(
    "gen_sales",
    "owner/request_id",
    { code: "text" },
    { content: "value", isReadOnly: true },
  ),
  "migration-migrations": relation(
    "gen_migrations",
    "org/id:id",
    {
      guid: "text",
      kind: "text",
      state: "text",
      flags: "json",
      repositories: "texts",
      createdAt: "milliseconds",
      updatedAt: "milliseconds",
      attempts: "number",
      reason: "text",
    },
    { keyMembers: { org: "org", id: "id" } },
  ),
  "migration-jobs": relation(
    "gen_migration_jobs",
    "org/id:id",
    { migration: "number" },
    { content: "value" },
  ),
  "migration-archives": relation("gen_migration_archives", "id:id", {
    org: "text",
    guid: "text",
    size: "number",
    createdAt: "milliseconds",
    file: "text",
  }),
  "migration-locks": relation("gen_repository_locks", "org/name", {
    migration: "number",
  }),
  "migration-repositories": relation("gen_repositories", "org/key", {
    id: "number",
    name: "text",
    description: "text?",
    defaultBranch: "text",
    pushedAt: "milliseconds?",
    createdAt: "milliseconds",
    size: "number",
  }),
  "migration-accounts": relation(
    "gen_accounts",
    "name",
    { id: "number" },
    { content: "value" },
  ),
  "chat.keys": relation(
    "gen_chat_keys",
    "id",
    {
      hash: "text",
      name: "text",
      owner: "text",
      models: "texts",
      limits: "json",
      budgets: "json",
      created: "time",
      expires: "time",
      revoked: "time",
    },
    { keyMembers: { id: "id" } },
  ),
  "chat.keys-of": relation(
    "gen_chat_keys",
    "owner/id",
    {},
    { content: "none", isReadOnly: true },
  ),
  "chat.key-uses": relation("gen_chat_key_uses", "id", {
    lastUsed: "time",
    day: "text",
    dayTokens: "number",
    month: "text",
    monthTokens: "number",
  }),
  "chat.usage": relation(
    "gen_chat_usage",
    "day/key/model",
    {
      name: "text",
      owner: "text",
      requests: "number",
      estimatedRequests: "number",
      promptTokens: "number",
      completionTokens: "number",
    },
    { keyMembers: { day: "day", key: "key", model: "model" } },
  ),
};

/** Returns the table in PostgreSQL; undefined for tables in `gen_records`. */
export function relationOf(table: string): Relation | undefined {
  return Object.hasOwn(relations, table) ? relations[table] : undefined;
}

/** Length of an id in a key. */
const ID_LENGTH = 16;

/**
 * Returns the values of the key columns; undefined for a key that no row can
 * have.
 */
export function splitKey(
  { keys }: Relation,
  key: string,
): readonly string[] | undefined {
  // Only the last part can contain slashes.
  const parts = key.split("/");
  if (parts.length < keys.length) return undefined;
  parts.push(parts.splice(keys.length - 1).join("/"));
  const isValid = keys.every(({ type }, index) =>
    type === "id"
      ? /^\d{16}$/.test(parts[index]!)
      : isKey(parts[index]!) && !parts[index]!.includes("\0"),
  );
  return isValid ? parts : undefined;
}

/** Row of a query result, keyed by column. */
export type Row = Readonly<Record<string, unknown>>;

export function keyOfRow({ keys }: Relation, row: Row): string {
  return keys
    .map(({ name, type }) =>
      type === "id"
        ? String(row[name]).padStart(ID_LENGTH, "0")
        : String(row[name]),
    )
    .join("/");
}

/** Returns the list of all columns for SELECT. */
export function selection({ keys, columns, content }: Relation): string {
  return [
    ...[...keys, ...columns].map(({ name }) => name),
    ...(content === "members" ? ["other"] : []),
  ].join(", ");
}

/**
 * Returns the list of the columns that are members of records, for SELECT with
 * an alias of the table. They are called `<alias>.<column>` in the result.
 */
export function memberSelection(
  { keys, columns, keyMembers }: Relation,
  alias: string,
): string {
  return [...keys.filter(({ name }) => name in keyMembers), ...columns]
    .map(({ name }) => name)
    .concat("other")
    .map((name) => `${alias}.${name} AS "${alias}.${name}"`)
    .join(", ");
}

/** Converts a row to a record. @param prefix prefix of the column names */
export function recordOf<T>(relation: Relation, row: Row, prefix = ""): T {
  const { content, columns, keys, keyMembers } = relation;
  if (content === "none") return true as T;
  if (content === "value")
    return decode(columns[0]!, row[prefix + columns[0]!.name]) as T;
  const record: Record<string, unknown> = {};
  for (const { name, type } of keys) {
    const member = keyMembers[name];
    const value = row[prefix + name];
    if (member !== undefined)
      record[member] = type === "id" ? Number(value) : value;
  }
  for (const column of columns) {
    const value = row[prefix + column.name];
    if (value !== null) record[column.member] = decode(column, value);
    else if (column.isNullable) record[column.member] = null;
  }
  const other = row[`${prefix}other`];
  return (other === null ? record : { ...record, ...Object(other) }) as T;
}

function decode({ type }: Column, value: unknown): unknown {
  switch (type) {
    case "number":
      return Number(value);
    case "time":
      return (value as Date).toISOString();
    case "milliseconds":
      return (value as Date).getTime();
    default:
      return value;
  }
}

/**
 * Converts a record to a JSON object whose members are the columns of its row.
 *
 * @throws TypeError for a key that is not a key of the table
 */
export function rowOf(relation: Relation, key: string, value: unknown): Row {
  const parts = splitKey(relation, key);
  if (parts === undefined)
    throw new TypeError(
      `${JSON.stringify(key)} is not a key of ${relation.name}`,
    );
  const row: Record<string, unknown> = Object.fromEntries(
    relation.keys.map(({ name }, index) => [name, parts[index]]),
  );
  const { columns, content, keyMembers } = relation;
  if (content === "none") return row;
  if (content === "value")
    return { ...row, [columns[0]!.name]: encode(columns[0]!, value) };
  const members = new Map(Object.entries(value as object));
  for (const member of Object.values(keyMembers)) members.delete(member);
  for (const column of columns) {
    row[column.name] = encode(column, members.get(column.member));
    members.delete(column.member);
  }
  row["other"] = members.size === 0 ? null : Object.fromEntries(members);
  return row;
}

function encode({ type }: Column, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (type === "milliseconds") return new Date(value as number).toISOString();
  return value;
}

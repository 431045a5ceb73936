import { createHash } from "node:crypto";
import type { Definition, Field, Schema } from "../model/ir.js";
import { judgePattern } from "../targets/validator/patterns.js";
import { crc32c } from "./crc32c.js";
import type { JsonObject } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/**
 * Returns the fields of an object definition, keyed by name; an empty map for
 * other definitions.
 */
export function fieldsOf(
  id: string,
  definitions: Definitions,
): ReadonlyMap<string, Field> {
  const body = definitions.get(id)?.body;
  return new Map(
    body?.kind === "object"
      ? body.fields.map((field) => [field.name, field])
      : [],
  );
}

/**
 * Returns a copy of an object with additional members. A member is skipped if
 * the schema has no field of that name or if the field does not accept the
 * value.
 */
export function withMembers(
  value: JsonObject,
  fields: ReadonlyMap<string, Field>,
  members: JsonObject,
): JsonObject {
  const fitting = Object.entries(members).flatMap(([name, member]) => {
    const field = fields.get(name);
    const accepted = field && fittingValue(field, member);
    return accepted === undefined ? [] : [[name, accepted] as const];
  });
  return { ...value, ...Object.fromEntries(fitting) };
}

/**
 * Converts a value to the type of a field; returns undefined if the field does
 * not accept the value.
 */
function fittingValue({ schema, constraints }: Field, value: unknown): unknown {
  if (schema.kind !== "scalar") return undefined;
  const text = String(value);
  switch (schema.type) {
    case "string":
      return isFittingText(schema, constraints.pattern, text)
        ? text
        : undefined;
    case "integer":
    case "number":
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "null":
      return undefined;
  }
}

function isFittingText(
  { format = "" }: Extract<Schema, { kind: "scalar" }>,
  pattern: string | undefined,
  text: string,
): boolean {
  if (/^u?int64$/.test(format)) return /^\d{1,18}$/.test(text);
  if (/^(byte|date|google-)/.test(format)) return false;
  return (
    pattern === undefined ||
    judgePattern(pattern) !== "enforced" ||
    new RegExp(pattern).test(text)
  );
}

const CREATED =
  /^(created?(_?(on|at|time|date))?|creation_?(time|date|time_?stamp)|time_?created|inserted?(_?time)?|date_?created|published(_?at)?)$/i;
const UPDATED =
  /^(updated?(_?(on|at|time|date))?|(last_?)?modified(_?(at|by_?me_?time|time|date))?|modification_?time|last_?updated?(_?(at|time|date))?|time_?updated)$/i;

/**
 * Returns the timestamp fields of a resource: the modification time and, for
 * new resources, the creation time.
 */
export function timesOf(
  fields: ReadonlyMap<string, Field>,
  milliseconds: number,
  isNew: boolean,
): JsonObject {
  const times = [...fields.values()].flatMap(({ name, schema }) => {
    const isTimeField = UPDATED.test(name) || (isNew && CREATED.test(name));
    const time = isTimeField ? formatTime(schema, milliseconds) : undefined;
    return time === undefined ? [] : [[name, time] as const];
  });
  return Object.fromEntries(times);
}

function formatTime(schema: Schema, milliseconds: number): string | undefined {
  if (schema.kind !== "scalar" || schema.type !== "string") return undefined;
  const text = new Date(milliseconds).toISOString().replace(".000Z", "Z");
  switch (schema.format) {
    case undefined:
    case "date-time":
    case "google-datetime":
      return text;
    case "date":
      return text.slice(0, 10);
    case "int64":
    case "uint64":
      return String(milliseconds);
    default:
      return undefined;
  }
}

/**
 * Returns the numbers of a resource's version: `generation` counts versions of
 * the content, `metageneration` changes of other members since then.
 */
export function versionsOf(
  fields: ReadonlyMap<string, Field>,
  before: JsonObject,
  milliseconds: number,
  isNewContent: boolean,
): JsonObject {
  const metageneration = Number(before["metageneration"] ?? 0);
  return withMembers({}, fields, {
    ...(isNewContent && fields.has("metageneration")
      ? { generation: String(milliseconds * 1000) }
      : {}),
    metageneration: isNewContent ? "1" : String(metageneration + 1),
  });
}

/**
 * Returns an object with an `etag` member that identifies a version of a
 * resource; an empty object if the schema does not declare `etag`.
 */
export function etagOf(
  fields: ReadonlyMap<string, Field>,
  version: string,
): JsonObject {
  const schema = fields.get("etag")?.schema;
  if (schema?.kind !== "scalar" || schema.type !== "string") return {};
  const hex = createHash("sha256").update(version).digest("hex").slice(0, 16);
  return schema.format === "byte"
    ? { etag: Buffer.from(hex).toString("base64") }
    : { etag: `"${hex}"` };
}

/**
 * Returns the members that describe content: size, type and checksums. Clients such
 * as @google-cloud/storage delete an object whose `crc32c` is not that of the upload.
 */
export function mediaFields(
  fields: ReadonlyMap<string, Field>,
  bytes: Uint8Array,
  contentType: string,
): JsonObject {
  const hash = (name: string): Buffer =>
    createHash(name).update(bytes).digest();
  const md5 = hash("md5");
  return withMembers({}, fields, {
    quotaBytesUsed: String(bytes.length),
    size: String(bytes.length),
    fileSize: String(bytes.length),
    mimeType: contentType,
    contentType,
    md5Checksum: md5.toString("hex"),
    md5Hash: md5.toString("base64"),
    ...(fields.has("crc32c") ? { crc32c: crc32c(bytes) } : {}),
    sha1Checksum: hash("sha1").toString("hex"),
    sha256Checksum: hash("sha256").toString("hex"),
  });
}

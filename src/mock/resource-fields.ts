import { createHash } from "node:crypto";
import type { Definition, Field, Schema } from "../model/ir.js";
import { judgePattern } from "../targets/validator/patterns.js";
import type { Members } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Fields of an object, by name. */
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

/** Members that are to be set, where the object has the fields and they take the values. */
export function withMembers(
  value: Members,
  fields: ReadonlyMap<string, Field>,
  members: Members,
): Members {
  const fitting = Object.entries(members).flatMap(([name, member]) => {
    const field = fields.get(name);
    const taken = field && fit(field, member);
    return taken === undefined ? [] : [[name, taken] as const];
  });
  return Object.fromEntries([...Object.entries(value), ...fitting]);
}

/** The value as the field takes it, a text as a number where it is one; undefined where it does not fit. */
function fit({ schema, constraints }: Field, value: unknown): unknown {
  if (schema.kind !== "scalar") return undefined;
  const text = String(value);
  switch (schema.type) {
    case "string":
      return textFits(schema, constraints.pattern, text) ? text : undefined;
    case "integer":
    case "number":
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "null":
      return undefined;
  }
}

function textFits(
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

/** The times of a resource: when it was made, unless it is known, and when it was changed last. */
export function timesOf(
  fields: ReadonlyMap<string, Field>,
  milliseconds: number,
  isNew: boolean,
): Members {
  const times = [...fields.values()].flatMap(({ name, schema }) => {
    const isMeant = UPDATED.test(name) || (isNew && CREATED.test(name));
    const time = isMeant ? timeIn(schema, milliseconds) : undefined;
    return time === undefined ? [] : [[name, time] as const];
  });
  return Object.fromEntries(times);
}

function timeIn(schema: Schema, milliseconds: number): string | undefined {
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

/** `etag` of a version of a resource. */
export function etagOf(
  fields: ReadonlyMap<string, Field>,
  version: string,
): Members {
  const schema = fields.get("etag")?.schema;
  if (schema?.kind !== "scalar" || schema.type !== "string") return {};
  const hex = createHash("sha256").update(version).digest("hex").slice(0, 16);
  return schema.format === "byte"
    ? { etag: Buffer.from(hex).toString("base64") }
    : { etag: `"${hex}"` };
}

/** What a resource says of its content. */
export function mediaFacts(
  fields: ReadonlyMap<string, Field>,
  bytes: Uint8Array,
  contentType: string,
): Members {
  const md5 = createHash("md5").update(bytes).digest();
  return withMembers({}, fields, {
    size: String(bytes.length),
    fileSize: String(bytes.length),
    mimeType: contentType,
    contentType,
    md5Checksum: md5.toString("hex"),
    md5Hash: md5.toString("base64"),
  });
}

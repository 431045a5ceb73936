import { Ajv, type Options, type ValidateFunction } from "ajv";
import type { RawSchema } from "../../src/load/raw.js";
import { judgePattern } from "../../src/targets/validator/patterns.js";

/** The schemas of a document by id. */
export type Schemas = Readonly<Record<string, RawSchema>>;

type Json = Record<string, unknown>;

/** Formats as an independent eye sees them. */
const FORMATS = {
  int64: (text: string) =>
    /^-?\d{1,30}$/.test(text) &&
    BigInt.asIntN(64, BigInt(text)) === BigInt(text),
  uint64: (text: string) =>
    /^\d{1,30}$/.test(text) &&
    BigInt.asUintN(64, BigInt(text)) === BigInt(text),
  byte: isBase64,
  date: (text: string) => isDay(text),
  "date-time": isTime,
  "google-datetime": isTime,
  "google-duration": (text: string) => /^-?\d{1,12}(\.\d{1,9})?s$/.test(text),
  "google-fieldmask": (text: string) =>
    text === "" || text.split(",").every((part) => part !== ""),
};

function isBase64(text: string): boolean {
  try {
    atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return !/\s/.test(text);
  } catch {
    return false;
  }
}

function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(time.getTime()) &&
    time.toISOString().startsWith(text)
  );
}

function isTime(text: string): boolean {
  const [day = "", rest = ""] = text.split(/t/i);
  return (
    isDay(day) &&
    /^([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(
      rest,
    )
  );
}

/** Functions that ajv compiles, by schema id; unknown properties pass or not. */
export function compileWithAjv(
  schemas: Schemas,
  isClosed: boolean,
  options: Options = { ownProperties: true },
): (id: string) => ValidateFunction {
  const ajv = new Ajv({ strict: false, formats: FORMATS, ...options });
  const definitions = Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      toJsonSchema(schema, isClosed, true),
    ]),
  );
  ajv.addSchema({ $id: "document", definitions });
  return (id) =>
    ajv.compile({ $ref: `document#/definitions/${encodeURIComponent(id)}` });
}

/** A schema of a description as one of JSON Schema, draft 7. */
export function toJsonSchema(
  raw: RawSchema,
  isClosed: boolean,
  isTop = false,
): Json {
  // An object within another that declares nothing is free.
  const isFree =
    !isTop && raw.type === "object" && raw.properties === undefined;
  const schema =
    isFree && raw.additionalProperties === undefined
      ? { type: "object" }
      : convert(raw, isClosed);
  return raw["x-nullable"] === true
    ? { anyOf: [{ type: "null" }, schema] }
    : schema;
}

function convert(raw: RawSchema, isClosed: boolean): Json {
  if (raw.$ref !== undefined)
    return { $ref: `document#/definitions/${encodeURIComponent(raw.$ref)}` };
  const options = raw["x-one-of"];
  if (options !== undefined)
    return { anyOf: options.map((option) => toJsonSchema(option, isClosed)) };
  switch (raw.type) {
    case "any":
      return {};
    case "object":
      return object(raw, isClosed);
    case "array":
      return {
        type: "array",
        items: toJsonSchema(raw.items as RawSchema, isClosed),
      };
    case "integer":
      return { type: "integer", ...limits(raw), ...integerRange(raw) };
    case "number":
      return number(raw);
    case "string":
      return text(raw);
    default:
      return { type: raw.type };
  }
}

function object(raw: RawSchema, isClosed: boolean): Json {
  const properties = Object.entries(raw.properties ?? {});
  const required = raw["x-required"];
  const { additionalProperties: rest } = raw;
  return {
    type: "object",
    properties: Object.fromEntries(
      properties.map(([name, schema]) => [
        name,
        toJsonSchema(schema, isClosed),
      ]),
    ),
    ...(required === undefined ? {} : { required }),
    ...(typeof rest === "object"
      ? { additionalProperties: toJsonSchema(rest, isClosed) }
      : isClosed
        ? { additionalProperties: false }
        : {}),
  };
}

function limits({ minimum, maximum }: RawSchema): Json {
  return {
    ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
    ...(maximum === undefined ? {} : { maximum: Number(maximum) }),
  };
}

function integerRange({ format }: RawSchema): Json {
  const range =
    format === "int32"
      ? { minimum: -2147483648, maximum: 2147483647 }
      : format === "uint32"
        ? { minimum: 0, maximum: 4294967295 }
        : {};
  return { allOf: [range] };
}

function number(raw: RawSchema): Json {
  const schema = { type: "number", ...limits(raw) };
  return raw.format === "double" || raw.format === "float"
    ? { anyOf: [schema, { enum: ["NaN", "Infinity", "-Infinity"] }] }
    : schema;
}

function text({ enum: values, pattern, format, ...raw }: RawSchema): Json {
  if (values !== undefined)
    return raw["x-open-enum"] === true
      ? { type: "string" }
      : { type: "string", enum: values };
  const isEnforced =
    pattern !== undefined && judgePattern(pattern) === "enforced";
  const isKnown = format !== undefined && format in FORMATS;
  return {
    type: "string",
    ...(isEnforced ? { pattern } : {}),
    ...(isKnown ? { format } : {}),
  };
}

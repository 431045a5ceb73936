import type { EnumValue } from "../../model/ir.js";
import type { Dialect, VariantOption } from "./dialect.js";
import { jsonObject, type Json, type JsonObject } from "./json.js";

/** Keywords for the range of an integer, keyed by format. */
const RANGES: Readonly<Record<string, JsonObject>> = {
  int32: { minimum: -2147483648, maximum: 2147483647 },
  uint32: { minimum: 0, maximum: 4294967295 },
};

/**
 * Character class that contains both base64 alphabets (standard and URL-safe).
 */
const BASE64 = "[A-Za-z0-9_+/-]";

/** Keywords for a string, keyed by format. */
const TEXTS: Readonly<Record<string, JsonObject>> = {
  int64: { pattern: "^-?[0-9]+$" },
  uint64: { pattern: "^[0-9]+$" },
  byte: {
    contentEncoding: "base64",
    pattern: `^(?:${BASE64}{4})*(?:${BASE64}{2}(?:==)?|${BASE64}{3}=?)?$`,
  },
  date: { format: "date" },
  "date-time": { format: "date-time" },
  "google-datetime": { format: "date-time" },
  "google-duration": { pattern: "^-?[0-9]+(?:\\.[0-9]{1,9})?s$" },
  "google-fieldmask": { pattern: "^(?:[^,]+(?:,[^,]+)*)?$" },
};

/** Values of `double` and `float` that JSON numbers can't represent. */
const NON_FINITE = { enum: ["NaN", "Infinity", "-Infinity"] };

/**
 * Returns the dialect of the `json-schema` target. It uses only keywords and
 * formats of JSON Schema 2020-12, so that validators accept the output in
 * strict mode.
 */
export function standardDialect(reference: (name: string) => string): Dialect {
  return { reference, scalar, closedEnum, notes, variant };
}

function scalar(type: string, format: string | undefined): JsonObject {
  if (type === "string") return { type, ...own(TEXTS, format) };
  if (type === "integer") return { type, ...own(RANGES, format) };
  if (type === "number" && (format === "double" || format === "float"))
    return { anyOf: [{ type }, NON_FINITE] };
  return { type };
}

function own(
  table: Readonly<Record<string, JsonObject>>,
  key: string | undefined,
): JsonObject {
  return key !== undefined && Object.hasOwn(table, key) ? table[key]! : {};
}

/**
 * Returns the schema of an enum. Values with descriptions are printed as
 * separate `const` schemas, because `enum` can't contain descriptions.
 */
function closedEnum(values: readonly EnumValue[]): JsonObject {
  const isPlain = values.every(
    ({ description, deprecated }) =>
      description === undefined && deprecated !== true,
  );
  if (isPlain)
    return { type: "string", enum: values.map(({ value }) => value) };
  return {
    type: "string",
    anyOf: values.map(({ value, description, deprecated }) =>
      jsonObject({ const: value, description, deprecated }),
    ),
  };
}

function notes(
  members: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const lines = Object.entries(members).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
        ],
  );
  return lines.length === 0 ? {} : { $comment: lines.join("\n") };
}

function variant(
  discriminant: string,
  options: readonly VariantOption[],
): JsonObject {
  return {
    type: "object",
    required: [discriminant],
    anyOf: options.map(({ value, $ref }) => ({
      $ref,
      properties: { [discriminant]: { const: value } },
    })),
  };
}

import type { EnumValue } from "../../model/ir.js";
import type { Dialect, VariantOption } from "../json-schema/dialect.js";
import {
  jsonMembers,
  jsonObject,
  type Json,
  type JsonObject,
} from "../json-schema/json.js";

/**
 * Patterns for string formats that most tools do not support, keyed by format.
 */
const PATTERNS: Readonly<Record<string, string>> = {
  int64: "^-?[0-9]+$",
  uint64: "^[0-9]+$",
  "google-duration": "^-?[0-9]+(?:\\.[0-9]{1,9})?s$",
};

/** Returns the value of `$ref` for a schema of an OpenAPI document. */
export function schemaReference(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Dialect of OpenAPI 3.1. Formats keep their names. Information for which
 * OpenAPI has no keyword is added as `x-discovery-…` extensions.
 */
export const openapiDialect: Dialect = {
  reference: schemaReference,
  scalar,
  closedEnum,
  notes,
  variant,
};

function scalar(type: string, format: string | undefined): JsonObject {
  if (format === undefined) return { type };
  if (type === "string" && format === "google-datetime")
    return { type, format: "date-time", "x-discovery-format": format };
  const known = type === "string" && Object.hasOwn(PATTERNS, format);
  return jsonObject({
    type,
    format,
    pattern: known ? PATTERNS[format] : undefined,
    minimum: type === "integer" && format.startsWith("uint") ? 0 : undefined,
  });
}

/**
 * Returns the schema of an enum, with a parallel list of descriptions in the
 * format that openapi-typescript, Hey API and OpenAPI Generator support.
 */
function closedEnum(values: readonly EnumValue[]): JsonObject {
  const isDescribed = values.some(({ description }) => description);
  const deprecated = values
    .filter((entry) => entry.deprecated === true)
    .map(({ value }) => value);
  return jsonObject({
    type: "string",
    enum: values.map(({ value }) => value),
    "x-enum-descriptions": isDescribed
      ? values.map(({ description = "" }) => description)
      : undefined,
    "x-discovery-enum-deprecated":
      deprecated.length === 0 ? undefined : deprecated,
  });
}

function notes(
  members: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  return jsonMembers(
    Object.entries(members).map(([name, value]) => [
      `x-discovery-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
}

function variant(
  discriminant: string,
  options: readonly VariantOption[],
): JsonObject {
  return {
    type: "object",
    required: [discriminant],
    discriminator: {
      propertyName: discriminant,
      mapping: jsonMembers(options.map(({ value, $ref }) => [value, $ref])),
    },
    oneOf: [...new Set(options.map(({ $ref }) => $ref))].map(($ref) => ({
      $ref,
    })),
  };
}

/* eslint-disable */
// biome-ignore-all lint: generated

import type { JsonSchema } from "./json-schema.js";

/**
 * Returns the JSON Schema for a PATCH body: properties can be missing, and
 * `null` is valid for any property of an object or map.
 */
export function patchSchema({ required, ...schema }: JsonSchema): JsonSchema {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, patched(key, value)]),
  );
  const { anyOf } = copy;
  // The discriminator property, which selects a variant, can be missing too.
  return Array.isArray(required) && Array.isArray(anyOf)
    ? { ...copy, anyOf: [...(anyOf as unknown[]), withoutValues(required)] }
    : copy;
}

function patched(keyword: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [name, orNull(schema)]),
      );
    case "additionalProperties":
      return orNull(value);
    case "items":
      return patchSchema(value as JsonSchema);
    case "anyOf":
    case "allOf":
      return (value as JsonSchema[]).map(patchSchema);
    default:
      return value;
  }
}

function orNull(schema: unknown): JsonSchema {
  return { anyOf: [patchSchema(schema as JsonSchema), { type: "null" }] };
}

function withoutValues(names: readonly unknown[]): JsonSchema {
  const properties = names.map((name) => [name, { type: "null" }] as const);
  return { properties: Object.fromEntries(properties) as JsonSchema };
}

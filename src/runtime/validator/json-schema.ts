// Types of Standard JSON Schema, version 1 (https://standardschema.dev), and the
// functions that create its schemas. This module is imported only by
// json-schemas.ts, so validators load no JSON Schemas.

import type { PatchBody } from "./contract.js";
import type { StandardProperties, StandardSchema } from "./standard.js";

/** JSON Schema as plain data, which the caller can modify. */
export type JsonSchema = Record<string, unknown>;

/**
 * Function in json-schemas.ts that returns the JSON Schema of a named schema.
 */
export type JsonSchemaOf = (ref: SchemaReference) => JsonSchema;

/**
 * Function that returns the `$ref` value for a schema and adds the schema to
 * the result.
 */
export type SchemaReference = (name: string, of: JsonSchemaOf) => string;

/** Options of a conversion to JSON Schema. */
export interface JsonSchemaOptions {
  /** JSON Schema version: `draft-2020-12` or `draft-07`. */
  readonly target: "draft-2020-12" | "draft-07" | (string & {});
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** Standard Schema that can be converted to JSON Schema. */
export interface StandardJsonSchema<T = unknown> {
  readonly "~standard": StandardProperties<T> & {
    readonly jsonSchema: StandardConverter;
  };
}

/**
 * Standard JSON Schema of a PATCH body, in which `null` clears a property at
 * any depth.
 */
export type StandardJsonPatch<T = unknown> = StandardJsonSchema<PatchBody<T>>;

/**
 * Conversion to JSON Schema. Values before and after validation have the same
 * schema.
 */
export interface StandardConverter {
  readonly input: (options: JsonSchemaOptions) => JsonSchema;
  readonly output: (options: JsonSchemaOptions) => JsonSchema;
}

/** Returns a Standard Schema with its conversion to JSON Schema. */
export function withJsonSchema<T>(
  schema: StandardSchema<T>,
  of: JsonSchemaOf,
): StandardJsonSchema<T> {
  return withConverter(schema, (options) => toJsonSchema(of, options));
}

/** Returns the Standard Schema of a PATCH body with its conversion. */
export function withPatchSchema<T>(
  schema: StandardSchema<T>,
  of: JsonSchemaOf,
): StandardJsonSchema<T> {
  return withConverter(schema, (options) =>
    toJsonSchema(of, options, patchSchema),
  );
}

function withConverter<T>(
  schema: StandardSchema<T>,
  convert: (options: JsonSchemaOptions) => JsonSchema,
): StandardJsonSchema<T> {
  const jsonSchema = { input: convert, output: convert };
  return { "~standard": { ...schema["~standard"], jsonSchema } };
}

/**
 * Returns the JSON Schema of a named schema, including all schemas to which it
 * refers.
 *
 * @param edit function that changes each of these schemas.
 * @throws Error for targets other than `draft-2020-12` and `draft-07`.
 */
function toJsonSchema(
  of: JsonSchemaOf,
  { target }: JsonSchemaOptions,
  edit: (schema: JsonSchema) => JsonSchema = (schema) => schema,
): JsonSchema {
  if (target === "draft-2020-12")
    return bundle(
      of,
      "https://json-schema.org/draft/2020-12/schema",
      "$defs",
      edit,
    );
  if (target === "draft-07")
    return bundle(
      of,
      "http://json-schema.org/draft-07/schema#",
      "definitions",
      (schema) => withoutSiblings(edit(schema)),
    );
  throw new Error(`the JSON Schema target ${String(target)} is not supported`);
}

function bundle(
  of: JsonSchemaOf,
  $schema: string,
  place: string,
  convert: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const found = new Map<string, JsonSchemaOf>();
  const ref: SchemaReference = (name, referred) => {
    found.set(name, referred);
    return `#/${place}/${name}`;
  };
  const root = convert(of(ref));
  const schemas: JsonSchema = {};
  // The loop also visits entries that are added to the map while it is running.
  for (const [name, referred] of found) schemas[name] = convert(referred(ref));
  return found.size === 0
    ? { $schema, ...root }
    : { $schema, ...root, [place]: schemas };
}

/**
 * Moves references into `allOf`, because draft 7 ignores keywords next to a
 * reference.
 */
function withoutSiblings(schema: JsonSchema): JsonSchema {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, convertValue(value)]),
  );
  const { $ref, ...rest } = copy;
  return typeof $ref === "string" && Object.keys(rest).length > 0
    ? { allOf: [{ $ref }], ...rest }
    : copy;
}

function convertValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertValue);
  return typeof value === "object" && value !== null
    ? withoutSiblings(value as JsonSchema)
    : value;
}

/**
 * Returns the JSON Schema for a PATCH body: properties can be missing, and
 * `null` is valid for any property of an object or map.
 */
function patchSchema({ required, ...schema }: JsonSchema): JsonSchema {
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

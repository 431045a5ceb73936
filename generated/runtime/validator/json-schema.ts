/* eslint-disable */
// biome-ignore-all lint: generated

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

/**
 * Returns the JSON Schema of a named schema, including all schemas to which it
 * refers.
 *
 * @param edit function that changes each of these schemas.
 * @throws Error for targets other than `draft-2020-12` and `draft-07`.
 */
export function toJsonSchema(
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

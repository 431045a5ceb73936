import type { FileRules, ValueType } from "../../runtime/rules/definition.js";
import { isSupportedIn } from "../../runtime/rules/versions.js";

type Json = Record<string, unknown>;

/**
 * Returns a JSON Schema (draft 7) for validation and completion in editors.
 * Cross-field rules are not included; only `gen overrides validate` checks
 * them.
 */
export function editorSchema(description: OverridesDescription): Json {
  const { root, targets, defaultTarget } = description["x-file"];
  const version = targets[defaultTarget]!;
  const definitions = Object.fromEntries(
    Object.entries(description.schemas).map(([name, schema]) => [
      name,
      schemaOf(description, schema, version),
    ]),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: description.title,
    $ref: `#/definitions/${root}`,
    definitions,
  };
}

function schemaOf(
  description: OverridesDescription,
  schema: DescriptionSchema,
  version: string,
): Json {
  const { $ref } = schema;
  const notes = annotationsOf(description, schema, version);
  if ($ref !== undefined)
    return { allOf: [{ $ref: `#/definitions/${$ref}` }], ...notes };
  return { ...notes, ...valueOf(description, schema, version) };
}

/**
 * Returns the annotations that editors show: description, default and
 * deprecation.
 */
function annotationsOf(
  description: OverridesDescription,
  schema: DescriptionSchema,
  version: string,
): Json {
  const resolved = resolveSchema(description, schema);
  const isGone = !isSupported(schema, version);
  return {
    ...(resolved.description === undefined
      ? {}
      : { description: resolved.description }),
    ...(resolved.default === undefined ? {} : { default: defaultOf(resolved) }),
    ...(isGone
      ? {
          deprecationMessage:
            schema["x-removed"] ??
            `Introduced in ${schema["x-since"]}; ${description["x-file"].defaultTarget} does not support this key.`,
          doNotSuggest: true,
        }
      : {}),
    ...(schema["x-spelling"] === true
      ? { deprecationMessage: `Use ${schema["x-replaced-by"]}.` }
      : {}),
  };
}

function isSupported(schema: DescriptionSchema, version: string): boolean {
  return isSupportedIn(version, {
    since: schema["x-since"],
    until: schema["x-until"],
  });
}

function defaultOf({ type, default: text = "" }: DescriptionSchema): unknown {
  return type === "integer" || type === "boolean" ? JSON.parse(text) : text;
}

function valueOf(
  description: OverridesDescription,
  schema: DescriptionSchema,
  version: string,
): Json {
  switch (schema.type) {
    case "object":
      return objectOf(description, schema, version);
    case "array":
      return {
        type: "array",
        items: schemaOf(description, schema.items!, version),
        ...(schema["x-min-items"] === undefined
          ? {}
          : { minItems: schema["x-min-items"] }),
      };
    default:
      return scalarOf(description, schema);
  }
}

function objectOf(
  description: OverridesDescription,
  schema: DescriptionSchema,
  version: string,
): Json {
  if (schema.properties === undefined)
    return {
      type: "object",
      ...(schema.additionalProperties === undefined
        ? {}
        : {
            additionalProperties: schemaOf(
              description,
              schema.additionalProperties,
              version,
            ),
          }),
    };
  const entries = Object.entries(schema.properties);
  const required = (schema["x-required"] ?? []).filter(
    (key) => schema.properties![key]?.["x-missing"] === undefined,
  );
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        schemaOf(description, value, version),
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function scalarOf(
  description: OverridesDescription,
  schema: DescriptionSchema,
): Json {
  const kind = description["x-file"].kinds[schema["x-kind"] ?? "text"]!;
  const isText =
    schema.type === "string" || (schema.type === "any" && schema["x-kind"]);
  if (!isText) return numberOrAny(schema);
  const types = ["string", ...(kind.also ?? [])];
  const pattern = schema.pattern ?? kind.pattern;
  return {
    type: types.length === 1 ? "string" : types,
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(pattern === undefined ? { minLength: 1 } : { pattern }),
    ...(schema["x-max-length"] === undefined
      ? {}
      : { maxLength: schema["x-max-length"] }),
  };
}

function numberOrAny({ type, minimum, maximum }: DescriptionSchema): Json {
  if (type === undefined || type === "any") return {};
  return {
    type,
    ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
    ...(maximum === undefined ? {} : { maximum: Number(maximum) }),
  };
}

/**
 * Schema in specs/overrides.v1.3.json, with the fields that an editor needs.
 */
interface DescriptionSchema {
  readonly id?: string;
  readonly $ref?: string;
  readonly type?: ValueType;
  readonly description?: string;
  readonly default?: string;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, DescriptionSchema>>;
  readonly additionalProperties?: DescriptionSchema;
  readonly items?: DescriptionSchema;
  readonly "x-kind"?: string;
  readonly "x-max-length"?: number;
  readonly "x-min-items"?: number;
  readonly "x-since"?: string;
  readonly "x-until"?: string;
  readonly "x-removed"?: string;
  readonly "x-replaced-by"?: string;
  readonly "x-spelling"?: true;
  readonly "x-missing"?: "warning";
  readonly "x-required"?: readonly string[];
}

/** Content of specs/overrides.v1.3.json. */
export interface OverridesDescription {
  readonly title: string;
  readonly schemas: Readonly<Record<string, DescriptionSchema>>;
  readonly "x-file": Pick<
    FileRules,
    "root" | "targets" | "defaultTarget" | "kinds"
  >;
}

/**
 * Resolves a `$ref`. Fields next to the reference override fields of the
 * referenced schema.
 */
function resolveSchema(
  description: OverridesDescription,
  schema: DescriptionSchema,
): DescriptionSchema {
  if (schema.$ref === undefined) return schema;
  const target = description.schemas[schema.$ref];
  if (target === undefined)
    throw new Error(`schema ${schema.$ref} does not exist`);
  const { $ref: _, ...siblings } = schema;
  return { ...target, ...siblings };
}

import {
  resolveSchema,
  type OverridesDescription,
  type DescriptionSchema,
} from "./compile-table.js";
import { isSupportedIn } from "./table.js";

type Json = Record<string, unknown>;

/**
 * Returns a JSON Schema (draft 7) for validation and completion in editors.
 * Cross-field rules are not included; only `gen overrides validate` checks
 * them.
 */
export function editorSchema(description: OverridesDescription): Json {
  const root = description["x-root"];
  const version = description["x-targets"][description["x-default-target"]]!;
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
            `Introduced in ${schema["x-since"]}; ${description["x-default-target"]} does not support this key.`,
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
  const kind = description["x-kinds"][schema["x-kind"] ?? "text"]!;
  const isText =
    schema.type === "string" || (schema.type === "any" && schema["x-kind"]);
  if (!isText) return numberOrAny(schema);
  const types = ["string", ...(kind.also ?? []), ...(schema["x-also"] ?? [])];
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

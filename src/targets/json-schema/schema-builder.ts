// This file is longer than others because its functions are mutually recursive:
// schemas can be nested.
import type { Sink } from "../../diagnostics/sink.js";
import { escapeToken } from "../../diagnostics/types.js";
import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type {
  Api,
  Body,
  Constraints,
  Definition,
  EnumValue,
  Field,
  Schema,
} from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import type { Definitions } from "../../model/queries.js";
import { alternativesOf, overlapOf, type Union } from "../../model/unions.js";
import { constraintKeywords, valueSchema } from "./constraints.js";
import type { Dialect } from "./dialect.js";
import { type Json, jsonMembers, jsonObject, type JsonObject } from "./json.js";

/**
 * Direction in which a schema is used: requests (`input`) or responses
 * (`output`). Read-only properties are omitted in requests.
 */
export type Direction = "input" | "output";

/** Data that all schemas of an exported document share. */
export interface SchemaContext {
  readonly definitions: Definitions;
  readonly names: ComponentNames;
  readonly dialect: Dialect;
  readonly trustProse: boolean;
  readonly degradations: Degradations;
}

/** Converts schemas of the API model to JSON Schema. */
export class SchemaBuilder {
  constructor(
    private readonly context: SchemaContext,
    private readonly direction: Direction,
  ) {}

  definition({ body, pointer, ...definition }: Definition): JsonObject {
    const schema = this.#body(body, pointer);
    const { description, deprecated } = definition;
    return annotated(definition.nullable === true ? nullable(schema) : schema, {
      description,
      deprecated,
    });
  }

  /**
   * Returns the JSON Schema of a value.
   * @param constraints constraints of the field or parameter
   * @param pointer JSON pointer to the schema in the document, for diagnostics
   */
  schema(
    schema: Schema,
    constraints: Constraints,
    pointer: string,
  ): JsonObject {
    const built = this.#kind(schema, pointer);
    const limited = this.#constrained(schema, constraints, built, pointer);
    return schema.nullable === true ? nullable(limited) : limited;
  }

  #kind(schema: Schema, pointer: string): JsonObject {
    const { dialect } = this.context;
    switch (schema.kind) {
      case "any":
        return {};
      case "scalar":
        return dialect.scalar(schema.type, schema.format);
      case "enum":
        return this.#enum(schema.values, schema.open);
      case "ref":
        return this.#reference(schema.id);
      case "list":
        return {
          type: "array",
          items: this.schema(schema.items, {}, `${pointer}/items`),
        };
      case "map":
        return {
          type: "object",
          additionalProperties: this.#additional(schema.values, pointer),
        };
    }
  }

  /**
   * Returns the JSON Schema of undeclared properties; `true` if any value is
   * allowed.
   */
  #additional(values: Schema, pointer: string): Json {
    const schema = this.schema(values, {}, `${pointer}/additionalProperties`);
    return Object.keys(schema).length === 0 ? true : schema;
  }

  #enum(values: readonly EnumValue[], open: boolean | undefined): JsonObject {
    const closed = this.context.dialect.closedEnum(values);
    return open === true ? { anyOf: [closed, { type: "string" }] } : closed;
  }

  #reference(id: string): JsonObject {
    const $ref = this.#target(id);
    const definition = this.context.definitions.get(id);
    if ($ref !== undefined) return { $ref };
    return definition === undefined ? {} : this.definition(definition);
  }

  /**
   * Returns the value of `$ref` for a definition; undefined if the definition
   * is printed inline.
   */
  #target(id: string): string | undefined {
    const { names, dialect } = this.context;
    const input = this.direction === "input" ? names.input.get(id) : undefined;
    const name = input ?? names.output.get(id);
    return name === undefined ? undefined : dialect.reference(name);
  }

  #body(body: Body, pointer: string): JsonObject {
    switch (body.kind) {
      case "object":
        return this.#object(body, pointer);
      case "enum":
        return this.#enum(body.values, body.open);
      case "alias":
        return this.schema(body.schema, {}, pointer);
      case "variant":
        return this.#variant(body);
      case "union":
        return this.#union(body, pointer);
    }
  }

  #variant({
    discriminant,
    options,
    base,
  }: Extract<Body, { kind: "variant" }>): JsonObject {
    const targets = options.map(({ value, id }) => ({
      value,
      $ref: this.#target(id) ?? "",
    }));
    const choice =
      options.length === 0
        ? { type: "object" }
        : this.context.dialect.variant(discriminant, targets);
    return base === undefined
      ? choice
      : { allOf: [this.#reference(base), choice] };
  }

  /**
   * Returns the JSON Schema of a union: `oneOf` if each value belongs to at most
   * one alternative, otherwise `anyOf`.
   */
  #union(union: Union, pointer: string): JsonObject {
    const { definitions, trustProse } = this.context;
    const schemas = union.options.map((option, index) =>
      this.schema(option, {}, `${pointer}/x-one-of/${index}`),
    );
    const overlap = overlapOf(alternativesOf(union, definitions), trustProse);
    return overlap === undefined ? { oneOf: schemas } : { anyOf: schemas };
  }

  #object(
    { fields, additional }: Extract<Body, { kind: "object" }>,
    pointer: string,
  ): JsonObject {
    const { trustProse } = this.context;
    const declared = fields.filter(
      ({ flags }) =>
        this.direction === "output" || !isBinding(flags.readOnly, trustProse),
    );
    const required = declared
      .filter(({ flags }) => isAlwaysPresent(flags, trustProse))
      .map(({ name }) => name);
    return jsonObject({
      type: "object",
      properties:
        declared.length === 0
          ? undefined
          : jsonMembers(
              declared.map((field) => [
                field.name,
                this.#field(
                  field,
                  `${pointer}/properties/${escapeToken(field.name)}`,
                ),
              ]),
            ),
      required: required.length === 0 ? undefined : required,
      additionalProperties:
        additional === undefined
          ? undefined
          : this.#additional(additional, pointer),
    });
  }

  #field(field: Field, pointer: string): JsonObject {
    const { flags, schema, constraints, description } = field;
    const isReadOnly = isBinding(flags.readOnly, this.context.trustProse);
    const built = annotated(this.schema(schema, constraints, pointer), {
      description,
      deprecated: flags.deprecated && true,
      readOnly: isReadOnly || undefined,
    });
    const { requiredBy } = flags;
    return withNotes(built, this.context.dialect.notes({ requiredBy }));
  }

  /** Adds the keywords for the constraints of a value to the value's schema. */
  #constrained(
    schema: Schema,
    outer: Constraints,
    built: JsonObject,
    pointer: string,
  ): JsonObject {
    const constraints = { ...schema.constraints, ...outer };
    if (Object.keys(constraints).length === 0) return built;
    const { dialect, degradations, definitions } = this.context;
    const target = valueSchema(schema, definitions);
    const { keywords, notes } = constraintKeywords(constraints, target);
    for (const [name, value] of Object.entries(notes))
      if (value !== undefined && name !== "format")
        degradations.report(
          `${name} ${name === "pattern" ? String(value) : ""}`,
          `the ${name} ${JSON.stringify(value)} is not part of the exported schema`,
          `${pointer}/${name === "values" ? "enum" : name}`,
        );
    return withNotes({ ...built, ...keywords }, dialect.notes(notes));
  }
}

/**
 * Adds annotation keywords, which do not restrict values. They are inserted
 * after `type` and before all other keywords.
 */
function annotated(
  { $ref, type, ...keywords }: JsonObject,
  annotations: Readonly<
    Record<"description", string | undefined> &
      Partial<Record<"deprecated" | "readOnly", true | boolean | undefined>>
  >,
): JsonObject {
  const { description, deprecated, readOnly, ...rest } = keywords;
  return jsonObject({
    $ref,
    type,
    description: annotations.description ?? description,
    deprecated: annotations.deprecated ?? deprecated,
    readOnly: annotations.readOnly ?? readOnly,
    ...rest,
  });
}

/** Adds notes to a schema. An existing `$comment` is extended. */
function withNotes(schema: JsonObject, notes: JsonObject): JsonObject {
  const comments = [schema["$comment"], notes["$comment"]].filter(
    (comment) => comment !== undefined,
  );
  return comments.length === 0
    ? { ...schema, ...notes }
    : { ...schema, ...notes, $comment: comments.join("\n") };
}

/** Returns a copy of a schema that also allows `null`. */
function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, const: _, ...rest } = schema;
  if (typeof type === "string" && anyOf === undefined)
    return jsonObject({
      type: [type, "null"],
      enum: Array.isArray(values) ? [...(values as Json[]), null] : values,
      ...rest,
    });
  return { anyOf: [schema, { type: "null" }] };
}

/** Names of the schemas in an exported document. */
export interface ComponentNames {
  /**
   * Map from definition id to the name of the schema. An inline definition
   * inside another definition has no name, because it is exported as part of
   * that definition.
   */
  readonly output: ReadonlyMap<string, string>;
  /** Map from definition id to the name of the separate schema for requests. */
  readonly input: ReadonlyMap<string, string>;
  readonly scope: NameScope;
}

/**
 * Assigns names to the definitions of an API. The names contain only characters
 * that OpenAPI allows in keys of `components`. No two names differ only in
 * case, because tools use them as names of files and types.
 * @param inputs ids of the definitions that have a separate schema for requests
 */
export function nameComponents(
  api: Api,
  inputs: ReadonlySet<string>,
  sink: Sink,
): ComponentNames {
  const scope = new NameScope(PROTOTYPE_KEYS);
  const output = new Map<string, string>();
  const ids = new Set(api.definitions.map(({ id }) => id));
  for (const definition of api.definitions) {
    if (definition.inline !== undefined && ids.has(definition.inline.owner))
      continue;
    const name = scope.reserve(componentName(definition.id));
    output.set(definition.id, name);
    if (name !== definition.id && definition.inline === undefined)
      sink.report(
        "export-renamed",
        `schema ${JSON.stringify(definition.id)} has the name ${name} in OpenAPI and JSON Schema`,
        definition.pointer,
      );
  }
  const input = new Map<string, string>();
  for (const [id, name] of output)
    if (inputs.has(id)) input.set(id, scope.reserve(`${name}Input`));
  return { output, input, scope };
}

/**
 * Names of the members that plain objects inherit. They are not used as names
 * of schemas, because assigning to some of them, such as `__proto__`, changes
 * the prototype.
 */
const PROTOTYPE_KEYS: readonly string[] = Object.getOwnPropertyNames(
  Object.prototype,
);

/** Converts a string to a key that OpenAPI allows in `components`. */
export function componentName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 200);
  return name === "" ? "_" : name;
}

/**
 * Reports parts of an API that an exported document can express only as an
 * extension or a note. Only the first part of each kind is reported, because a
 * document often contains many similar parts.
 */
export class Degradations {
  readonly #kinds = new Set<string>();

  constructor(private readonly sink: Sink) {}

  /** @param kind identifier that is the same for similar parts */
  report(kind: string, message: string, pointer: string): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.sink.report("export-degraded", message, pointer);
  }
}

import type { RawSchema } from "../../load/raw.js";
import type {
  Body,
  Definition,
  Draft,
  EnumValue,
  Facts,
  Field,
  Gathering,
  Notes,
  Schema,
} from "../ir.js";
import { enumValues } from "../passes/enums.js";
import { deprecation, readOnlyFact, requiredFact } from "../passes/facts.js";
import { checkFormat, scalarType } from "../passes/scalars.js";
import { below, pointerTo, type At, type BuildContext } from "./context.js";

/** Inline levels that get types; real documents have at most ten. */
const MAX_INLINE_DEPTH = 64;

const ANY: Schema = { kind: "any" };

const SCHEMA_KEYS = new Set(
  (
    "id type $ref description default required deprecated readOnly format pattern minimum maximum enum " +
    "enumDescriptions enumDeprecated repeated location properties additionalProperties items annotations variant"
  ).split(" "),
);

/** Who owns a schema node, for the ids of inline definitions. */
export interface Owner {
  readonly id: string;
  readonly field: string;
  readonly depth: number;
}

/** A top-level schema of the document. */
export function buildDefinition(
  id: string,
  raw: RawSchema,
  at: At,
  context: BuildContext,
): Draft<Definition> {
  checkKeys(raw, at, context);
  const definition: Draft<Definition> = {
    id,
    pointer: pointerTo(at),
    body: buildBody(id, raw, at, context, 0),
  };
  if (raw.description !== undefined) definition.description = raw.description;
  if (raw.deprecated === true) definition.deprecated = true;
  return definition;
}

function buildBody(
  id: string,
  raw: RawSchema,
  at: At,
  context: BuildContext,
  depth: number,
): Body {
  if (raw.variant !== undefined) return buildVariant(raw, at, context);
  if (raw.$ref === undefined && isObject(raw))
    return buildObject(id, raw, at, context, depth);
  const values = enumValues(raw, at, context);
  if (values !== undefined) return { kind: "enum", values };
  return {
    kind: "alias",
    schema: buildNode(raw, at, context, { id, field: "item", depth }),
  };
}

/** An object has that type, or members and no type at all. */
function isObject(raw: RawSchema): boolean {
  if (raw.type === "object") return true;
  return (
    raw.type === undefined &&
    (raw.properties !== undefined || raw.additionalProperties !== undefined)
  );
}

function buildVariant(raw: RawSchema, at: At, context: BuildContext): Body {
  const options: { value: string; id: string }[] = [];
  for (const [index, option] of (raw.variant?.map ?? []).entries()) {
    const place = below(at, "variant", "map", index);
    const id = option.$ref ?? "";
    if (context.schemaIds.has(id))
      options.push({ value: option.type_value ?? id, id });
    else
      context.report(
        "ref-missing",
        `the variant refers to ${JSON.stringify(id)}, which is no schema`,
        place,
      );
  }
  return {
    kind: "variant",
    discriminant: raw.variant?.discriminant ?? "type",
    options,
  };
}

function buildObject(
  id: string,
  raw: RawSchema,
  at: At,
  context: BuildContext,
  depth: number,
): Body {
  const fields: Gathering<Field>[] = [];
  const requiredNames = Array.isArray(raw.required)
    ? new Set(raw.required as string[])
    : undefined;
  const properties = raw.properties ?? {};
  for (const name of Object.keys(properties)) {
    const place = below(at, "properties", name);
    const field = buildField(
      id,
      name,
      properties[name]!,
      place,
      context,
      depth,
    );
    if (requiredNames?.has(name)) field.facts.required = { from: "document" };
    fields.push(field);
  }
  if (requiredNames !== undefined)
    context.report(
      "legacy-shape",
      "required is a list of names",
      below(at, "required"),
    );
  const additional = buildAdditional(raw, at, context, {
    id,
    field: "additionalProperties",
    depth,
  });
  return additional === undefined
    ? { kind: "object", fields }
    : { kind: "object", fields, additional };
}

function buildAdditional(
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): Schema | undefined {
  const { additionalProperties } = raw;
  if (additionalProperties === undefined || additionalProperties === false)
    return undefined;
  if (additionalProperties === true) {
    context.report(
      "legacy-shape",
      "additionalProperties is a boolean",
      below(at, "additionalProperties"),
    );
    return ANY;
  }
  const place = below(at, "additionalProperties");
  checkKeys(additionalProperties, place, context);
  return buildNode(additionalProperties, place, context, owner);
}

function buildField(
  id: string,
  name: string,
  raw: RawSchema,
  at: At,
  context: BuildContext,
  depth: number,
): Gathering<Field> {
  checkKeys(raw, at, context);
  const field: Gathering<Field> = {
    name,
    schema: buildNode(raw, at, context, { id, field: name, depth }),
    facts: buildFacts(raw),
    notes: buildNotes(raw),
  };
  if (raw.description !== undefined) field.description = raw.description;
  return field;
}

/** Statements that a schema node makes about itself. */
export function buildFacts(raw: RawSchema): Draft<Facts> {
  const facts: Draft<Facts> = {};
  const required = requiredFact(raw);
  const readOnly = readOnlyFact(raw);
  if (required !== undefined) facts.required = required;
  if (readOnly !== undefined) facts.readOnly = readOnly;
  if (raw.deprecated === true) facts.deprecated = deprecation;
  if (raw.annotations?.required !== undefined)
    facts.requiredBy = [...raw.annotations.required];
  return facts;
}

/** The limits and defaults of a node, as text. */
export function buildNotes(raw: RawSchema): Draft<Notes> {
  const notes: Draft<Notes> = {};
  if (raw.default !== undefined && raw.default !== null)
    notes.default = String(raw.default);
  if (raw.format !== undefined) notes.format = raw.format;
  if (raw.pattern !== undefined) notes.pattern = raw.pattern;
  if (raw.minimum !== undefined) notes.minimum = String(raw.minimum);
  if (raw.maximum !== undefined) notes.maximum = String(raw.maximum);
  return notes;
}

/** The type that a node stands for; inline objects and enums become definitions. */
export function buildNode(
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): Schema {
  if (raw.$ref !== undefined) return buildReference(raw, at, context);
  if (raw.type === "array") return buildList(raw, at, context, owner);
  if (raw.variant !== undefined || isObject(raw))
    return buildInline(raw, at, context, owner);
  if (raw.type === "any") {
    checkFormat(raw, at, context);
    return ANY;
  }
  const values = enumValues(raw, at, context);
  if (values !== undefined) return defineEnum(values, raw, at, context, owner);
  const type = scalarType(raw, at, context);
  if (type === undefined) return ANY;
  checkFormat(raw, at, context);
  return raw.format === undefined
    ? { kind: "scalar", type }
    : { kind: "scalar", type, format: raw.format };
}

function buildReference(raw: RawSchema, at: At, context: BuildContext): Schema {
  const id = raw.$ref!;
  if (raw.type !== undefined) {
    context.report(
      "schema-ambiguous",
      `has both $ref and type; $ref counts`,
      at,
    );
  }
  if (context.schemaIds.has(id)) return { kind: "ref", id };
  const bare = id.replace(/^#\/schemas\//, "").replace(/^#/, "");
  if (context.schemaIds.has(bare)) {
    context.report(
      "legacy-shape",
      `$ref ${JSON.stringify(id)} is a pointer instead of an id`,
      below(at, "$ref"),
    );
    return { kind: "ref", id: bare };
  }
  context.report(
    "ref-missing",
    `$ref ${JSON.stringify(id)} names no schema`,
    below(at, "$ref"),
  );
  return ANY;
}

function buildList(
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): Schema {
  const items = Array.isArray(raw.items)
    ? (raw.items as readonly RawSchema[])[0]
    : (raw.items as RawSchema | undefined);
  if (Array.isArray(raw.items))
    context.report(
      "legacy-shape",
      "items is a list of schemas; the first one counts",
      at,
    );
  if (items === undefined) {
    context.report("schema-untyped", "an array without items", at);
    return { kind: "list", items: ANY };
  }
  const place = below(at, "items");
  checkKeys(items, place, context);
  return { kind: "list", items: buildNode(items, place, context, owner) };
}

/** An inline object: a map, a free-form object, or a definition of its own. */
function buildInline(
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): Schema {
  const isEmpty =
    raw.properties === undefined || Object.keys(raw.properties).length === 0;
  if (isEmpty && raw.variant === undefined) {
    checkFormat(raw, at, context);
    return {
      kind: "map",
      values: buildAdditional(raw, at, context, owner) ?? ANY,
    };
  }
  if (owner.depth >= MAX_INLINE_DEPTH) {
    context.report(
      "shape-too-deep",
      `inline schemas nest deeper than ${MAX_INLINE_DEPTH} levels; the rest is unknown`,
      at,
    );
    return ANY;
  }
  const id = `${owner.id}.${owner.field}`;
  const body = buildBody(id, raw, at, context, owner.depth + 1);
  return { kind: "ref", id: define(body, id, raw, at, context, owner) };
}

function defineEnum(
  values: EnumValue[],
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): Schema {
  const id = `${owner.id}.${owner.field}`;
  return {
    kind: "ref",
    id: define({ kind: "enum", values }, id, raw, at, context, owner),
  };
}

function define(
  body: Body,
  id: string,
  raw: RawSchema,
  at: At,
  context: BuildContext,
  owner: Owner,
): string {
  const definition: Draft<Definition> = {
    id,
    pointer: pointerTo(at),
    inline: { owner: owner.id, field: owner.field },
    body,
  };
  if (raw.description !== undefined) definition.description = raw.description;
  return context.define(definition);
}

/** Counts keys that the format does not define. */
export function checkKeys(raw: RawSchema, at: At, context: BuildContext): void {
  for (const key in raw) {
    if (!SCHEMA_KEYS.has(key)) context.unknownKey(key, at);
  }
}

// This file is longer than others because its functions are mutually recursive:
// objects, lists and variants can be nested.
import { sortedKeys } from "../../load/canonical.js";
import type { RawSchema } from "../../load/raw.js";
import type { Body, Definition, Field, Mutable, Schema } from "../ir.js";
import {
  type BuildContext,
  child,
  type DocumentPath,
  pointerTo,
} from "./context.js";
import { checkLimits, checkSchemaId } from "./document-checks.js";
import { enumValues, openness } from "./enums.js";
import { buildConstraints, buildFieldFlags } from "./field-flags.js";
import { addInlineDefinition, buildInlineEnum, type Owner } from "./inline.js";
import { checkKeys } from "./keys.js";
import { ANY, buildReference, buildScalar } from "./leaf-schemas.js";
import { checkFormat } from "./scalar-types.js";

/**
 * Maximum nesting depth of a schema. More deeply nested values are untyped;
 * published documents have at most ten levels.
 */
const MAX_DEPTH = 64;

/** Builds a top-level schema of the document. */
export function buildDefinition(
  id: string,
  declared: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Mutable<Definition> {
  checkKeys("schema", declared, at, context);
  checkSchemaId(id, declared, at, context);
  const raw = checkAlternatives(declared, at, context);
  const definition: Mutable<Definition> = {
    id,
    pointer: pointerTo(at),
    body: buildBody(id, raw, at, context, 0),
  };
  if (raw.description !== undefined)
    definition.description = context.prose(raw.description);
  if (raw.deprecated === true) definition.deprecated = true;
  if (raw["x-nullable"] === true && definition.body.kind !== "alias")
    definition.nullable = true;
  return definition;
}

/**
 * Builds a schema at any position in the document. Inline objects and enums
 * become separate definitions.
 */
export function buildNode(
  declared: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const raw = checkAlternatives(declared, at, context);
  const schema = buildKind(raw, at, context, owner);
  return raw["x-nullable"] === true && schema.kind !== "any"
    ? { ...schema, nullable: true }
    : schema;
}

/**
 * Builds the schema of a list element, or of another value that is neither a
 * field nor a parameter. The constraints of the value are stored in its schema.
 */
function buildElement(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const schema = buildNode(raw, at, context, owner);
  if (schema.kind !== "scalar") return schema;
  checkLimits(raw, at, context);
  const { pattern, minimum, maximum } = buildConstraints(raw);
  const constraints = dropAbsent({ pattern, minimum, maximum });
  return Object.keys(constraints).length === 0
    ? schema
    : { ...schema, constraints };
}

function buildKind(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  if (raw.$ref !== undefined) return buildReference(raw, at, context);
  if (owner.depth > MAX_DEPTH) {
    context.report(
      "shape-too-deep",
      `schemas are nested deeper than ${MAX_DEPTH} levels; deeper values are untyped`,
      at,
    );
    return ANY;
  }
  if (raw["x-one-of"] !== undefined)
    return { kind: "ref", id: buildInlineDefinition(raw, at, context, owner) };
  if (raw.type === "array") return buildList(raw, at, context, owner);
  if (raw.variant !== undefined || isObjectSchema(raw))
    return buildInlineObject(raw, at, context, owner);
  if (raw.type === "any") {
    checkFormat(raw, at, context);
    return ANY;
  }
  const values = enumValues(raw, at, context);
  if (values !== undefined)
    return buildInlineEnum(values, raw, at, context, owner);
  return buildScalar(raw, at, context) ?? ANY;
}

/**
 * Tests whether a schema describes an object. If the type is missing, a schema
 * with properties is treated as an object.
 */
function isObjectSchema(raw: RawSchema): boolean {
  if (raw.type === "object") return true;
  return (
    raw.type === undefined &&
    (raw.properties !== undefined || raw.additionalProperties !== undefined)
  );
}

function buildList(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const items = Array.isArray(raw.items)
    ? (raw.items as readonly RawSchema[])[0]
    : (raw.items as RawSchema | undefined);
  if (Array.isArray(raw.items))
    context.report(
      "legacy-shape",
      "items must be a schema, not a list; the first schema is used",
      at,
    );
  if (items === undefined) {
    context.report(
      "schema-untyped",
      "an array must have the field items; its elements are untyped",
      at,
    );
    return { kind: "list", items: ANY };
  }
  const itemsPath = child(at, "items");
  checkKeys("schema", items, itemsPath, context);
  const deeper = { ...owner, depth: owner.depth + 1 };
  return {
    kind: "list",
    items: buildElement(items, itemsPath, context, deeper),
  };
}

/**
 * Builds an inline object. An object without declared properties becomes a map;
 * any other object becomes a separate definition.
 */
function buildInlineObject(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const isEmpty =
    raw.properties === undefined || Object.keys(raw.properties).length === 0;
  if (!isEmpty || raw.variant !== undefined)
    return { kind: "ref", id: buildInlineDefinition(raw, at, context, owner) };
  checkFormat(raw, at, context);
  return {
    kind: "map",
    values: buildAdditional(raw, at, context, owner) ?? ANY,
  };
}

function buildInlineDefinition(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): string {
  const id = context.reserveInlineId(`${owner.id}.${owner.field}`);
  const body = buildBody(id, raw, at, context, owner.depth);
  return addInlineDefinition(id, body, raw, at, context, owner);
}

/**
 * Builds the body of a definition.
 * @param depth number of objects, lists and maps in which the definition is
 * nested
 */
function buildBody(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  if (raw.variant !== undefined)
    return buildVariant(id, raw, at, context, depth);
  const alternatives = raw["x-one-of"];
  if (alternatives !== undefined)
    return buildUnion(id, alternatives, at, context, depth);
  if (raw.$ref === undefined && isObjectSchema(raw))
    return buildObject(id, raw, at, context, depth);
  const values =
    raw.$ref === undefined ? enumValues(raw, at, context) : undefined;
  if (values !== undefined) return { kind: "enum", values, ...openness(raw) };
  return {
    kind: "alias",
    schema: buildElement(raw, at, context, { id, field: "item", depth }),
  };
}

/**
 * Reports `x-one-of` in a schema that declares another type. Returns the schema
 * without `x-one-of` in this case.
 */
function checkAlternatives(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): RawSchema {
  if (raw["x-one-of"] === undefined) return raw;
  const isUntyped =
    (raw.type === undefined || raw.type === "any") &&
    raw.$ref === undefined &&
    raw.variant === undefined &&
    !isObjectSchema(raw);
  return isUntyped
    ? raw
    : withoutAlternatives(
        raw,
        'x-one-of must be in a schema with the type "any" and without $ref, properties and variant',
        at,
        context,
      );
}

/** Reports an invalid `x-one-of`; returns the schema without it. */
export function withoutAlternatives(
  raw: RawSchema,
  message: string,
  at: DocumentPath,
  context: BuildContext,
): RawSchema {
  context.report("extension-invalid", message, child(at, "x-one-of"));
  const { "x-one-of": _, ...rest } = raw;
  return rest;
}

/**
 * Builds a union (`x-one-of`). An alternative must not have alternatives
 * itself, because they can be listed directly; a reference to a union is
 * allowed.
 */
function buildUnion(
  id: string,
  alternatives: readonly RawSchema[],
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  const options = alternatives.map((raw, index) => {
    const path = child(at, "x-one-of", index);
    const owner = { id, field: `option${index + 1}`, depth: depth + 1 };
    checkKeys("schema", raw, path, context);
    const alternative =
      raw["x-one-of"] === undefined
        ? raw
        : withoutAlternatives(
            raw,
            "an alternative of x-one-of must not contain x-one-of; list its alternatives directly",
            path,
            context,
          );
    return buildElement(alternative, path, context, owner);
  });
  return { kind: "union", options };
}

/**
 * Builds a variant, which is a discriminated union of schemas. Properties that
 * are declared next to `variant` belong to all options.
 */
function buildVariant(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  const options: { value: string; id: string }[] = [];
  for (const [index, option] of (raw.variant?.map ?? []).entries()) {
    const target = option.$ref ?? "";
    if (context.schemaIds.has(target))
      options.push({ value: option.type_value ?? target, id: target });
    else
      context.report(
        "ref-missing",
        `the variant refers to ${JSON.stringify(target)}, which is not a schema`,
        child(at, "variant", "map", index),
      );
  }
  const discriminant = raw.variant?.discriminant ?? "type";
  if (Object.keys(raw.properties ?? {}).length === 0)
    return { kind: "variant", discriminant, options };
  const { variant: _, description: __, ...common } = raw;
  const owner = { id, field: "base", depth };
  const base = buildInlineDefinition(common, at, context, owner);
  return { kind: "variant", discriminant, options, base };
}

function buildObject(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  const fields: Mutable<Field>[] = [];
  const requiredNames = Array.isArray(raw.required)
    ? new Set(raw.required as string[])
    : undefined;
  const presentNames = presentProperties(raw, at, context);
  const properties = raw.properties ?? {};
  for (const name of sortedKeys(properties)) {
    const owner = { id, field: name, depth: depth + 1 };
    const field = buildField(
      properties[name]!,
      child(at, "properties", name),
      context,
      owner,
    );
    if (requiredNames?.has(name))
      field.flags = { ...field.flags, required: { from: "document" } };
    // A property whose absence is only a warning is optional (`x-missing`).
    if (presentNames.has(name) && properties[name]!["x-missing"] !== "warning")
      field.flags = { ...field.flags, present: { from: "document" } };
    fields.push(field);
  }
  if (requiredNames !== undefined)
    context.report(
      "legacy-shape",
      "required must be a boolean on each property, not a list of names",
      child(at, "required"),
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

/** Empty set, shared by all schemas without `x-required`. */
const NONE: ReadonlySet<unknown> = new Set();

/**
 * Returns the property names in `x-required`; reports names of undeclared
 * properties.
 */
function presentProperties(
  { "x-required": list, properties = {} }: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): ReadonlySet<unknown> {
  if (!Array.isArray(list)) return NONE;
  const names = new Set<unknown>(list);
  for (const name of names)
    if (!Object.hasOwn(properties, String(name)))
      context.report(
        "extension-unresolved",
        `x-required contains ${JSON.stringify(name)}, which is not a property of the schema`,
        child(at, "x-required"),
      );
  return names;
}

function buildField(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Mutable<Field> {
  checkKeys("schema", raw, at, context);
  checkLimits(raw, at, context);
  const name = owner.field;
  const schema = buildNode(raw, at, context, owner);
  const flags = buildFieldFlags(raw);
  const constraints = buildConstraints(raw);
  // An object literal with all members uses less memory than an object to which
  // members are added.
  if (raw.description === undefined)
    return { name, schema, flags, constraints };
  const description = context.prose(raw.description);
  return { name, schema, flags, constraints, description };
}

/**
 * Builds the schema of undeclared properties; undefined if
 * `additionalProperties` is missing or false.
 */
function buildAdditional(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema | undefined {
  const { additionalProperties } = raw;
  if (additionalProperties === undefined || additionalProperties === false)
    return undefined;
  const path = child(at, "additionalProperties");
  if (additionalProperties === true) {
    context.report(
      "legacy-shape",
      "additionalProperties must be a schema, not a boolean",
      path,
    );
    return ANY;
  }
  checkKeys("schema", additionalProperties, path, context);
  const deeper = { ...owner, depth: owner.depth + 1 };
  return buildElement(additionalProperties, path, context, deeper);
}

/** Returns a copy of an object without the members that are undefined. */
export function dropAbsent<T extends object>(value: {
  [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as T;
}

import { isAlwaysPresent, isBinding } from "./infer/field-flags.js";
import type { Body, FieldFlags, Schema } from "./ir.js";
import { type Definitions, resolveAlias } from "./queries.js";

/** Schema of one of several alternatives (`x-one-of`). */
export type Union = Extract<Body, { kind: "union" }>;

/** Type of a JSON value. */
export type JsonType =
  "array" | "boolean" | "null" | "number" | "object" | "string";

/** Alternative of a union, with the data that distinguishes it from others. */
export interface Alternative {
  readonly schema: Schema;
  /** Types of its values; undefined if values can have any type. */
  readonly types: readonly JsonType[] | undefined;
  /** Values of a closed enum; undefined for other alternatives. */
  readonly values: ReadonlySet<string> | undefined;
  /** Declared properties that are closed enums, keyed by name. */
  readonly properties: ReadonlyMap<string, ListedProperty>;
}

/** Property whose value is one of a closed list. */
interface ListedProperty {
  readonly values: ReadonlySet<string>;
  readonly flags: FieldFlags;
}

/** Returns the alternatives of a union, in the order of the document. */
export function alternativesOf(
  { options }: Union,
  definitions: Definitions,
): readonly Alternative[] {
  return options.map((schema) => {
    const target = resolveAlias(schema, definitions);
    const definition =
      target.kind === "ref" ? definitions.get(target.id) : undefined;
    const body = definition?.body;
    const isNullable = [schema, target, definition].some(
      (part) => part?.nullable === true,
    );
    const types = typesOf(target, body);
    return {
      schema,
      types: isNullable && types !== undefined ? [...types, "null"] : types,
      values: listedValues(target, definitions),
      properties: listedProperties(body, definitions),
    };
  });
}

/**
 * Returns the types of the values of a schema. 64-bit integers are strings that
 * can also be sent as numbers.
 */
function typesOf(
  schema: Schema,
  body: Body | undefined,
): readonly JsonType[] | undefined {
  switch (schema.kind) {
    case "any":
      return undefined;
    case "list":
      return ["array"];
    case "map":
      return ["object"];
    case "enum":
      return ["string"];
    case "ref":
      return [body?.kind === "enum" ? "string" : "object"];
    case "scalar":
      return scalarTypes(schema);
  }
}

function scalarTypes({
  type,
  format = "",
}: Extract<Schema, { kind: "scalar" }>): readonly JsonType[] {
  if (type === "integer") return ["number"];
  if (type === "number")
    return format === "" ? ["number"] : ["number", "string"];
  if (type === "string" && /^u?int64$/.test(format))
    return ["string", "number"];
  return [type];
}

function listedProperties(
  body: Body | undefined,
  definitions: Definitions,
): ReadonlyMap<string, ListedProperty> {
  const properties = new Map<string, ListedProperty>();
  if (body?.kind !== "object") return properties;
  for (const { name, schema, flags } of body.fields) {
    const values = listedValues(schema, definitions);
    if (values !== undefined) properties.set(name, { values, flags });
  }
  return properties;
}

/** Returns the values of a closed enum; undefined for other schemas. */
function listedValues(
  schema: Schema,
  definitions: Definitions,
): ReadonlySet<string> | undefined {
  const target = resolveAlias(schema, definitions);
  const found =
    target.kind === "ref" ? definitions.get(target.id)?.body : target;
  return found?.kind === "enum" && found.open !== true
    ? new Set(found.values.map(({ value }) => value))
    : undefined;
}

/**
 * Returns the name of the property that determines to which alternative an
 * object belongs: all alternatives for objects declare it as a closed enum,
 * with different values. Returns undefined if there is no such property, or
 * fewer than two alternatives for objects.
 */
export function discriminantOf(
  alternatives: readonly Alternative[],
): string | undefined {
  const objects = alternatives.filter(
    ({ types }) => types === undefined || types.includes("object"),
  );
  const [first, second] = objects;
  if (first === undefined || second === undefined) return undefined;
  return [...first.properties.keys()].find((name) =>
    isDiscriminant(name, objects),
  );
}

function isDiscriminant(
  name: string,
  objects: readonly Alternative[],
): boolean {
  const taken = new Set<string>();
  return objects.every(({ properties }) => {
    const values = properties.get(name)?.values;
    if (values === undefined || !areDisjoint(values, taken)) return false;
    for (const value of values) taken.add(value);
    return true;
  });
}

/**
 * Returns the alternative of a value, as determined by the value's type and the
 * discriminant. Returns undefined if they leave several alternatives, or none.
 */
export function matchingOption(
  union: Union,
  value: unknown,
  definitions: Definitions,
): Schema | undefined {
  const alternatives = alternativesOf(union, definitions);
  const type = jsonType(value);
  const possible = alternatives.filter(
    ({ types }) => types === undefined || types.includes(type),
  );
  const discriminant = discriminantOf(possible);
  const selected =
    discriminant === undefined
      ? possible
      : possible.filter(({ properties }) =>
          properties
            .get(discriminant)
            ?.values.has((value as Record<string, string>)[discriminant]!),
        );
  return selected.length === 1 ? selected[0]!.schema : undefined;
}

function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/**
 * Returns the indices of the first two alternatives that can have a common
 * value; undefined if each value belongs to at most one alternative.
 */
export function overlapOf(
  alternatives: readonly Alternative[],
  trustProse: boolean,
): readonly [number, number] | undefined {
  for (const [index, a] of alternatives.entries())
    for (let other = index + 1; other < alternatives.length; other++)
      if (canOverlap(a, alternatives[other]!, trustProse))
        return [index, other];
  return undefined;
}

function canOverlap(
  a: Alternative,
  b: Alternative,
  trustProse: boolean,
): boolean {
  if (a.types === undefined || b.types === undefined) return true;
  return a.types.some((type) => {
    if (!b.types!.includes(type)) return false;
    if (type === "string") return !areDisjoint(a.values, b.values);
    return type !== "object" || !haveOtherObjects(a, b, trustProse);
  });
}

/**
 * Tests whether the values of a property distinguish the objects of two
 * alternatives. At least one alternative must always have the property, and
 * requests must contain it.
 */
function haveOtherObjects(
  a: Alternative,
  b: Alternative,
  trustProse: boolean,
): boolean {
  return [...a.properties].some(([name, property]) => {
    const other = b.properties.get(name);
    if (other === undefined || !areDisjoint(property.values, other.values))
      return false;
    const flags = [property.flags, other.flags];
    return (
      flags.some((one) => isAlwaysPresent(one, trustProse)) &&
      !flags.some(({ readOnly }) => isBinding(readOnly, trustProse))
    );
  });
}

function areDisjoint(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
): boolean {
  if (a === undefined || b === undefined) return false;
  for (const value of a) if (b.has(value)) return false;
  return true;
}

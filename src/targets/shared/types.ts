import type { Parameter, Schema } from "../../model/ir.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";

/**
 * Direction in which a type is used: in results (`output`) or in requests
 * (`input`).
 */
export type Direction = "output" | "input";

/** Functions that return the names of the types in a generated file. */
export interface TypeNames {
  /**
   * Tests whether a definition allows `null` but its type does not include
   * `null`.
   */
  isNullable(id: string): boolean;
  /** Returns the local name of a definition's type. */
  definition(id: string, direction: Direction): string;
  /**
   * Returns the local name of the runtime type for numbers that can be NaN or
   * infinite.
   */
  double(): string;
}

/**
 * Returns the TypeScript type of a schema. For the schema of a parameter, use
 * `parameterType` instead.
 */
export function typeOf(
  schema: Schema,
  direction: Direction,
  names: TypeNames,
): TypeTree {
  const type = bareType(schema, direction, names);
  const isNullable =
    schema.nullable === true ||
    (schema.kind === "ref" && names.isNullable(schema.id));
  return isNullable && schema.kind !== "any" ? orNull(type) : type;
}

/** Returns the union of a type and `null` (`x-nullable`). */
export function orNull(type: TypeTree): TypeTree {
  return { kind: "union", of: [type, named("null")] };
}

function bareType(
  schema: Schema,
  direction: Direction,
  names: TypeNames,
): TypeTree {
  switch (schema.kind) {
    case "scalar":
      return named(scalarType(schema, names));
    case "ref":
      return named(names.definition(schema.id, direction));
    case "list":
      return { kind: "array", of: typeOf(schema.items, direction, names) };
    case "map":
      return { kind: "index", of: typeOf(schema.values, direction, names) };
    case "enum":
      return named("string");
    case "any":
      return named("unknown");
  }
}

/**
 * Returns the TypeScript type of a scalar. 64-bit integers are strings, as in
 * JSON. Numbers with a format can also be the string "NaN".
 */
function scalarType(
  schema: Extract<Schema, { kind: "scalar" }>,
  names: TypeNames,
): string {
  if (schema.type === "integer") return "number";
  if (schema.type !== "number") return schema.type;
  return schema.format === undefined ? "number" : names.double();
}

/**
 * Returns the type of a parameter.
 * @param alias name of the type alias that the file declares for an enum
 */
export function parameterType(
  parameter: Parameter,
  alias: string | undefined,
  names: TypeNames,
): TypeTree {
  const type =
    alias === undefined ? plainType(parameter.schema, names) : named(alias);
  return parameter.repeated
    ? { kind: "array", of: type, readonly: true }
    : type;
}

/**
 * Returns the type of a parameter that is not an enum. Numbers in URLs never
 * have the runtime's `Double` type, which includes strings such as "NaN".
 */
function plainType(schema: Schema, names: TypeNames): TypeTree {
  if (schema.kind === "scalar" && schema.type === "number")
    return named("number");
  return typeOf(schema, "input", names);
}

/**
 * Returns the type of a request body. Members that the method requires are not
 * optional.
 * @param form wrapper type from the runtime that allows additional values:
 *   `Patch` allows null, `Input` allows undefined
 */
export function bodyType(
  schema: Schema,
  form: "Patch" | "Input" | undefined,
  required: readonly string[],
  names: TypeNames,
  helper: (name: string) => string,
): TypeTree {
  let type = typeOf(schema, "input", names);
  if (form !== undefined && hasMembers(schema))
    type = generic(helper(form), type);
  if (required.length > 0) {
    const keys = required.map((value) => ({ kind: "literal", value }) as const);
    type = generic(
      helper("WithRequired"),
      type,
      keys.length === 1 ? keys[0]! : { kind: "union", of: keys },
    );
  }
  return type;
}

/** Tests whether values of a schema have members that can be absent. */
function hasMembers(schema: Schema): boolean {
  if (schema.kind === "list") return hasMembers(schema.items);
  return schema.kind === "ref" || schema.kind === "map";
}

import type { Parameter, Schema } from "../../model/ir.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";

/** Which shape of a schema is meant: as results or as requests have it. */
export type Direction = "output" | "input";

/** How a file prints names that live elsewhere. */
export interface TypeNames {
  /** Whether `null` is a value of a definition beside what its type says. */
  isNullable(id: string): boolean;
  /** The name of a definition in this file. */
  definition(id: string, direction: Direction): string;
  /** The runtime's type for numbers that may be NaN or infinite. */
  double(): string;
}

/** The TypeScript type of a schema. Enums of parameters are named by the caller. */
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

/** A type or `null` (`x-nullable`). */
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

/** int64 and friends stay the strings they are on the wire; floats may be "NaN". */
function scalarType(
  schema: Extract<Schema, { kind: "scalar" }>,
  names: TypeNames,
): string {
  if (schema.type === "integer") return "number";
  if (schema.type !== "number") return schema.type;
  return schema.format === undefined ? "number" : names.double();
}

/** The type of a parameter; an enum is the alias that the file declares for it. */
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

/** Numbers in a URL are plain. */
function plainType(schema: Schema, names: TypeNames): TypeTree {
  if (schema.kind === "scalar" && schema.type === "number")
    return named("number");
  return typeOf(schema, "input", names);
}

/**
 * The type of a request body: nulls clear fields in PATCH, some fields are required.
 * @param form helper that says what callers may give in place of values
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

/** Whether there is something within a value that could be left out. */
function hasMembers(schema: Schema): boolean {
  if (schema.kind === "list") return hasMembers(schema.items);
  return schema.kind === "ref" || schema.kind === "map";
}

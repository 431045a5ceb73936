import type { Schema } from "../../model/ir.js";
import { resolveAlias, type Definitions } from "../../model/queries.js";
import type { Documents, ValuePair } from "../rule.js";
import type { Side } from "../side.js";

/** Kind of change between two types. */
export type TypeChange =
  | "type"
  | "array"
  | "widened"
  | "narrowed"
  | "number"
  | "integer"
  | "enum"
  | "string";

type Category =
  "any" | "list" | "object" | "map" | "variant" | "enum" | "scalar";

/**
 * Returns the category of a schema; for an alias, the category of its target.
 */
export function categoryOf(schema: Schema, definitions: Definitions): Category {
  const end = resolveAlias(schema, definitions);
  if (end.kind !== "ref") return end.kind;
  const kind = definitions.get(end.id)?.body.kind;
  return kind === undefined || kind === "alias" ? "any" : kind;
}

/**
 * Returns the kind of change between two types; undefined if both have the same
 * category.
 */
export function typeChangeOf(
  { old, new: now }: ValuePair,
  documents: Documents,
): TypeChange | undefined {
  const [before, after] = [
    categoryOf(old.schema, documents.old.definitions),
    categoryOf(now.schema, documents.new.definitions),
  ];
  if (before !== after)
    return betweenCategories(before, after, old.schema, now.schema, documents);
  if (before !== "scalar") return undefined;
  return betweenScalars(
    scalarOf(old.schema, documents.old.definitions),
    scalarOf(now.schema, documents.new.definitions),
  );
}

function betweenCategories(
  before: Category,
  after: Category,
  old: Schema,
  now: Schema,
  documents: Documents,
): TypeChange {
  if (after === "any") return "widened";
  if (before === "any") return "narrowed";
  if (before === "list" || after === "list") return "array";
  if (
    before === "enum" &&
    scalarOf(now, documents.new.definitions) === "string"
  )
    return "string";
  if (after === "enum" && scalarOf(old, documents.old.definitions) === "string")
    return "enum";
  return "type";
}

function betweenScalars(
  before: string | undefined,
  after: string | undefined,
): TypeChange | undefined {
  if (before === after) return undefined;
  if (before === "integer" && after === "number") return "number";
  return before === "number" && after === "integer" ? "integer" : "type";
}

export function scalarOf(
  schema: Schema,
  definitions: Definitions,
): string | undefined {
  const end = resolveAlias(schema, definitions);
  return end.kind === "scalar" ? end.type : undefined;
}

/** Formats a type for messages: `list of Author`, `string (int64)`. */
export function typeWords(schema: Schema, definitions: Definitions): string {
  switch (schema.kind) {
    case "scalar":
      return schema.format === undefined
        ? schema.type
        : `${schema.type} (${schema.format})`;
    case "list":
      return `list of ${typeWords(schema.items, definitions)}`;
    case "map":
      return `map of ${typeWords(schema.values, definitions)}`;
    case "ref": {
      const definition = definitions.get(schema.id);
      return definition?.inline === undefined
        ? schema.id
        : categoryOf(schema, definitions);
    }
    default:
      return schema.kind;
  }
}

/** Tests whether a value can be null. */
export function isNullable(schema: Schema, { definitions }: Side): boolean {
  if (schema.nullable === true) return true;
  const definition =
    schema.kind === "ref" ? definitions.get(schema.id) : undefined;
  if (definition?.nullable === true) return true;
  return definition?.body.kind === "alias"
    ? resolveAlias(schema, definitions).nullable === true
    : false;
}

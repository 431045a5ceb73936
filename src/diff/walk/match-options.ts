import type { Schema } from "../../model/ir.js";
import type { Definitions } from "../../model/queries.js";
import type { Union } from "../../model/unions.js";

/** Alternatives of a union, keyed by their type. */
export type Options = ReadonlyMap<
  string,
  { readonly schema: Schema; readonly index: number }
>;

/**
 * Returns the alternatives of a union, keyed by a text that is the same for
 * alternatives of both documents that are compared with each other: the id of a
 * schema, or the kind of a value. A number distinguishes several alternatives of
 * the same kind.
 */
export function optionsOf(
  { options }: Union,
  definitions: Definitions,
): Options {
  const found = new Map<string, { schema: Schema; index: number }>();
  for (const [index, schema] of options.entries()) {
    const key = keyOf(schema, definitions);
    let count = 1;
    let unique = key;
    while (found.has(unique)) unique = `${key} ${++count}`;
    found.set(unique, { schema, index });
  }
  return found;
}

function keyOf(schema: Schema, definitions: Definitions): string {
  if (schema.kind === "scalar") return schema.type;
  if (schema.kind !== "ref") return schema.kind;
  const definition = definitions.get(schema.id);
  return definition?.inline === undefined ? schema.id : definition.body.kind;
}

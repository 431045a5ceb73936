import { isBinding } from "./infer/field-flags.js";
import type {
  Definition,
  Field,
  FieldFlags,
  Method,
  Resource,
  Schema,
} from "./ir.js";

/** Map from schema id to definition. */
export type Definitions = ReadonlyMap<string, Definition>;

/** Returns the methods of a resource and its descendants. */
export function methodsOf(resource: Resource): readonly Method[] {
  return [
    ...resource.methods,
    ...resource.children.flatMap((child) => methodsOf(child)),
  ];
}

/**
 * Calls `visit` with each id to which a definition refers, once for each
 * reference.
 */
export function forEachReference(
  definition: Definition | undefined,
  visit: (id: string) => void,
): void {
  const body = definition?.body;
  if (body?.kind === "object") {
    for (const field of body.fields) forEachRef(field.schema, visit);
    if (body.additional !== undefined) forEachRef(body.additional, visit);
  } else if (body?.kind === "alias") {
    forEachRef(body.schema, visit);
  } else if (body?.kind === "variant") {
    for (const option of body.options) visit(option.id);
    if (body.base !== undefined) visit(body.base);
  } else if (body?.kind === "union") {
    for (const option of body.options) forEachRef(option, visit);
  }
}

/**
 * Calls `visit` with each id to which a schema refers, once for each reference.
 */
export function forEachRef(schema: Schema, visit: (id: string) => void): void {
  if (schema.kind === "ref") visit(schema.id);
  else if (schema.kind === "list") forEachRef(schema.items, visit);
  else if (schema.kind === "map") forEachRef(schema.values, visit);
}

/**
 * Returns a map from definition id to the ids of the definitions that refer to
 * it, once for each reference.
 */
export function referrersOf(
  definitions: Iterable<Definition>,
): Map<string, string[]> {
  const referrers = new Map<string, string[]>();
  for (const definition of definitions)
    forEachReference(definition, (target) => {
      const ids = referrers.get(target);
      if (ids === undefined) referrers.set(target, [definition.id]);
      else ids.push(definition.id);
    });
  return referrers;
}

/**
 * Extends a set of ids with the ids of all definitions that are reachable from
 * it.
 */
export function reachable(
  ids: Set<string>,
  definitions: Definitions,
): Set<string> {
  // Set iteration also visits ids that the loop adds.
  for (const id of ids)
    forEachReference(definitions.get(id), (target) => ids.add(target));
  return ids;
}

/**
 * Returns the fields of the object to which a schema refers; an empty list if
 * the schema is not a reference to an object.
 */
export function objectFields(
  schema: Schema | undefined,
  definitions: Definitions,
): readonly Field[] {
  const target = schema && resolveAlias(schema, definitions);
  const body =
    target?.kind === "ref" ? definitions.get(target.id)?.body : undefined;
  return body?.kind === "object" ? body.fields : [];
}

/**
 * Returns the schema at the end of a chain of aliases. The aliases must not be
 * circular.
 */
export function resolveAlias(schema: Schema, definitions: Definitions): Schema {
  let found = schema;
  while (found.kind === "ref") {
    const body = definitions.get(found.id)?.body;
    if (body?.kind !== "alias") break;
    found = body.schema;
  }
  return found;
}

/**
 * Returns the ids of the methods that require a field in requests
 * (`annotations.required`). Returns an empty list for a read-only field,
 * because requests omit it.
 */
export function methodsRequiring(
  { requiredBy, readOnly }: FieldFlags,
  trustProse: boolean,
): readonly string[] {
  return requiredBy === undefined || isBinding(readOnly, trustProse)
    ? []
    : requiredBy;
}

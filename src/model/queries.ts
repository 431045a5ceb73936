import { isBinding } from "./infer/field-flags.js";
import type {
  Definition,
  Field,
  FieldFlags,
  Method,
  Resource,
  Schema,
} from "./ir.js";

/** Definitions by id. */
export type Definitions = ReadonlyMap<string, Definition>;

/** Returns the methods of a resource and of those below it. */
export function methodsOf(resource: Resource): readonly Method[] {
  return [
    ...resource.methods,
    ...resource.children.flatMap((child) => methodsOf(child)),
  ];
}

/** Visits the ids that a definition refers to, with repetitions. */
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
  }
}

/** Visits the ids that a schema refers to, with repetitions. */
export function forEachRef(schema: Schema, visit: (id: string) => void): void {
  if (schema.kind === "ref") visit(schema.id);
  else if (schema.kind === "list") forEachRef(schema.items, visit);
  else if (schema.kind === "map") forEachRef(schema.values, visit);
}

/** Returns the fields of the object that a schema refers to; empty for other schemas. */
export function objectFields(
  schema: Schema | undefined,
  definitions: Definitions,
): readonly Field[] {
  const target = schema && resolveAlias(schema, definitions);
  const body =
    target?.kind === "ref" ? definitions.get(target.id)?.body : undefined;
  return body?.kind === "object" ? body.fields : [];
}

/** Follows a chain of aliases to its end. Cycles must have been broken before. */
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
 * Returns the ids of the methods whose request needs a field
 * (`annotations.required`); empty for read-only fields, which requests omit.
 */
export function methodsRequiring(
  { requiredBy, readOnly }: FieldFlags,
  trustProse: boolean,
): readonly string[] {
  return requiredBy === undefined || isBinding(readOnly, trustProse)
    ? []
    : requiredBy;
}

/** Returns the fields that the request body of a method must have. */
export function requiredFields(
  { id, request }: Method,
  definitions: Definitions,
  trustProse: boolean,
): readonly Field[] {
  return objectFields(request, definitions).filter(({ flags }) =>
    methodsRequiring(flags, trustProse).includes(id),
  );
}

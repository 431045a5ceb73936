import type { Definition, Facts, Field, Method } from "../ir.js";
import { holds } from "./field-flags.js";
import { objectFields } from "./token-pagination.js";

/**
 * Ids of the methods whose request needs a field (`annotations.required`); none
 * where requests do not have the field at all, because it is read-only.
 */
export function demandsOf(
  { requiredBy, readOnly }: Facts,
  trustProse: boolean,
): readonly string[] {
  return requiredBy === undefined || holds(readOnly, trustProse)
    ? []
    : requiredBy;
}

/** Members that the body of a method's request must have. */
export function demandedFields(
  { id, request }: Method,
  definitions: ReadonlyMap<string, Definition>,
  trustProse: boolean,
): readonly Field[] {
  return objectFields(request, definitions).filter(({ facts }) =>
    demandsOf(facts, trustProse).includes(id),
  );
}

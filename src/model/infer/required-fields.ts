import type { Definition, FieldFlags, Field, Method } from "../ir.js";
import { isBinding } from "./field-flags.js";
import { objectFields } from "./token-pagination.js";

/**
 * Ids of the methods whose request needs a field (`annotations.required`); none
 * where requests do not have the field at all, because it is read-only.
 */
export function methodsRequiring(
  { requiredBy, readOnly }: FieldFlags,
  trustProse: boolean,
): readonly string[] {
  return requiredBy === undefined || isBinding(readOnly, trustProse)
    ? []
    : requiredBy;
}

/** Members that the body of a method's request must have. */
export function requiredFields(
  { id, request }: Method,
  definitions: ReadonlyMap<string, Definition>,
  trustProse: boolean,
): readonly Field[] {
  return objectFields(request, definitions).filter(({ flags }) =>
    methodsRequiring(flags, trustProse).includes(id),
  );
}

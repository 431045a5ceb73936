import type { Definition, FieldFlags, Field, Method, Mutable } from "../ir.js";
import { hasUploadProtocol } from "../bodies.js";
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

/** Records which members the body of a method's requests must have. */
export function markRequiredMembers(
  method: Mutable<Method>,
  definitions: ReadonlyMap<string, Definition>,
  trustProse: boolean,
): void {
  const required = objectFields(method.request, definitions).filter(
    ({ flags }) => methodsRequiring(flags, trustProse).includes(method.id),
  );
  if (required.length === 0) return;
  method.requiredMembers = required.map(({ name }) => name);
  const content = required.filter(holdsContent).map(({ name }) => name);
  if (content.length > 0 && hasUploadProtocol(method.upload))
    method.requiredContent = content;
}

function holdsContent({ schema }: Field): boolean {
  return schema.kind === "scalar" && schema.format === "byte";
}

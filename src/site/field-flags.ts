import type { RawSchema } from "../load/raw.js";
import { readOnlyFlag, requiredFlag } from "../model/infer/field-flags.js";

/**
 * Returns true if a property or parameter is required: always, or in the request
 * body of the method with the given id (`annotations.required`). Descriptions that
 * begin with "Required" count.
 */
export function isRequired(schema: RawSchema, methodId?: string): boolean {
  return requiredFlag(schema) !== undefined || isRequiredBy(schema, methodId);
}

/**
 * Returns true if a property is omitted in the request body of a method, because
 * only the server sets it. Descriptions that begin with "Output only" count.
 */
export function isReadOnly(schema: RawSchema, methodId?: string): boolean {
  return (
    schema.readOnly === true ||
    (readOnlyFlag(schema) !== undefined && !isRequiredBy(schema, methodId))
  );
}

function isRequiredBy(
  { annotations }: RawSchema,
  methodId: string | undefined,
): boolean {
  return (
    methodId !== undefined && annotations?.required?.includes(methodId) === true
  );
}

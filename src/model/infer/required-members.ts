import { hasUploadProtocol } from "../bodies.js";
import type { Field, Method } from "../ir.js";
import {
  methodsRequiring,
  objectFields,
  type Definitions,
} from "../queries.js";

/**
 * Returns the members that a method requires in its request body; an empty
 * object if there are none.
 */
export function requiredMembers(
  { id, request, upload }: Method,
  definitions: Definitions,
  trustProse: boolean,
): Pick<Method, "requiredMembers" | "requiredContent"> {
  const required = objectFields(request, definitions).filter(({ flags }) =>
    methodsRequiring(flags, trustProse).includes(id),
  );
  if (required.length === 0) return {};
  const content = hasUploadProtocol(upload) ? required.filter(isContent) : [];
  return {
    requiredMembers: required.map(({ name }) => name),
    ...(content.length === 0
      ? {}
      : { requiredContent: content.map(({ name }) => name) }),
  };
}

function isContent({ schema }: Field): boolean {
  return schema.kind === "scalar" && schema.format === "byte";
}

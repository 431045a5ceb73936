import { hasUploadProtocol } from "../bodies.js";
import type { Field, Method } from "../ir.js";
import { requiredFields, type Definitions } from "../queries.js";

/** Returns the members that the request body of a method must have, as `Method` has them. */
export function requiredMembers(
  method: Method,
  definitions: Definitions,
  trustProse: boolean,
): Pick<Method, "requiredMembers" | "requiredContent"> {
  const required = requiredFields(method, definitions, trustProse);
  if (required.length === 0) return {};
  const content = required.filter(holdsContent).map(({ name }) => name);
  return {
    requiredMembers: required.map(({ name }) => name),
    ...(content.length > 0 && hasUploadProtocol(method.upload)
      ? { requiredContent: content }
      : {}),
  };
}

function holdsContent({ schema }: Field): boolean {
  return schema.kind === "scalar" && schema.format === "byte";
}

import { hasUploadProtocol, requestForm } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { named } from "../../render/typescript/types.js";
import { memberView } from "../shared/members.js";
import type { PropertyView } from "../shared/parameters.js";
import { bodyType, type TypeNames } from "../shared/types.js";

/**
 * Returns the template data for the property that contains the request body.
 * The property is required if the body has required members.
 */
export function bodyProperty(
  method: Method,
  names: TypeNames,
  helper: (name: string) => string,
): PropertyView | undefined {
  const form = requestForm(method);
  if (form === "none") return undefined;
  if (form === "content") return rawBodyProperty(helper);
  const { requiredMembers = [], requiredContent = [] } = method;
  const required = requiredMembers.filter(
    (name) => !requiredContent.includes(name),
  );
  const isRequired = required.length > 0;
  const type = bodyType(
    method.request!,
    method.httpMethod === "PATCH" ? "Patch" : "Input",
    required,
    names,
    helper,
  );
  const view = memberView({
    name: "requestBody",
    type,
    doc: { notes: ["The request body."] },
    isOptional: !isRequired,
    acceptsUndefined: true,
  });
  return { view, enums: [], isRequired, orMedia: requiredContent };
}

function rawBodyProperty(helper: (name: string) => string): PropertyView {
  const view = memberView({
    name: "requestBody",
    type: named(helper("RawBody")),
    doc: { notes: ["The content, or an object that is sent as JSON."] },
    isOptional: true,
    acceptsUndefined: true,
  });
  return { view, enums: [], isRequired: false };
}

/**
 * Returns the template data for the property that contains the content to
 * upload.
 */
export function mediaProperty(
  { upload }: Method,
  helper: (name: string) => string,
): PropertyView | undefined {
  if (!hasUploadProtocol(upload)) return undefined;
  const view = memberView({
    name: "media",
    type: named(helper("UploadMedia")),
    doc: { notes: ["The content. Without it, only the metadata is sent."] },
    isOptional: true,
    acceptsUndefined: true,
  });
  return { view, enums: [], isRequired: false };
}

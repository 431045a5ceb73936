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
  const note = "The content, or an object that is sent as JSON.";
  return optionalContent("requestBody", helper("RawBody"), note);
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
  const note = "The content. Without it, only the metadata is sent.";
  return optionalContent("media", helper("MediaParameter"), note);
}

function optionalContent(
  name: string,
  type: string,
  note: string,
): PropertyView {
  const view = memberView({
    name,
    type: named(type),
    doc: { notes: [note] },
    isOptional: true,
    acceptsUndefined: true,
  });
  return { view, enums: [], isRequired: false };
}

import { responseForm } from "../../model/bodies.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Method } from "../../model/ir.js";
import {
  jsonMembers,
  jsonObject,
  unlessEmpty,
  type JsonObject,
} from "../json-schema/json.js";
import { SchemaBuilder } from "../json-schema/schema-builder.js";
import type { OpenapiContext } from "./context.js";
import { errorResponses } from "./errors.js";
import type { NamedRequest } from "./path-groups.js";
import { CONTENT } from "./request-body.js";

/** Returns the responses to a request, keyed by status. */
export function responses(
  { method, kind }: NamedRequest,
  context: OpenapiContext,
): JsonObject {
  const status = String(method.status ?? 200);
  const success = jsonObject({
    description: describe(method),
    headers: unlessEmpty(headersOf(method, kind, context)),
    content: unlessEmpty(contentOf(method, kind, context)),
  });
  return { [status]: success, ...errorResponses(method, context) };
}

function describe(method: Method): string {
  switch (responseForm(method)) {
    case "redirect":
      return "Redirect to the content.";
    case "none":
      return "Success, without content.";
    default:
      return "Success.";
  }
}

function contentOf(
  method: Method,
  kind: NamedRequest["kind"],
  context: OpenapiContext,
): JsonObject {
  const { response, stream, download, pointer } = method;
  const form = responseForm(method);
  const at = `${pointer}/response`;
  const isArray = stream?.format === "array";
  const body =
    form === "json" && response !== undefined
      ? context.wrap(context.schema(response, "output", at))
      : undefined;
  const hasContent =
    form === "content" || (download !== undefined && kind === "call");
  return jsonMembers([
    [
      "application/json",
      body && { schema: isArray ? { type: "array", items: body } : body },
    ],
    [
      "text/event-stream",
      stream?.format === "events"
        ? { schema: context.schema(stream.element, "output", at) }
        : undefined,
    ],
    ["*/*", hasContent ? { schema: CONTENT } : undefined],
  ]);
}

function headersOf(
  { responseHeaders = [], redirects, upload, pointer }: Method,
  kind: NamedRequest["kind"],
  { schemas, options }: OpenapiContext,
): JsonObject {
  const builder = new SchemaBuilder(schemas, "output");
  const declared = responseHeaders.map(
    ({ name, schema, constraints, description, flags }) =>
      [
        name,
        jsonObject({
          description,
          required: isBinding(flags.required, options.trustProse) || undefined,
          schema: builder.schema(schema, constraints, pointer),
        }),
      ] as const,
  );
  const names = new Set(declared.map(([name]) => name.toLowerCase()));
  const hasSession = kind === "upload" && upload?.resumable !== undefined;
  const location =
    redirects === true
      ? "URL of the content."
      : hasSession
        ? "URL of the session, if `uploadType` is `resumable`."
        : undefined;
  return jsonMembers([
    ...declared,
    [
      "Location",
      location === undefined || names.has("location")
        ? undefined
        : { description: location, schema: { type: "string" } },
    ],
  ]);
}

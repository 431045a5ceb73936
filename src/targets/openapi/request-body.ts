import { isBodyRequired, requestForm } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import {
  jsonMembers,
  jsonObject,
  type JsonObject,
} from "../json-schema/json.js";
import type { OpenapiContext } from "./context.js";

/** Schema of content of any media type. */
export const CONTENT: JsonObject = { type: "string", format: "binary" };

/**
 * Returns the request body of a method's calls; undefined if the method has
 * none.
 */
export function requestBody(
  method: Method,
  context: OpenapiContext,
): JsonObject | undefined {
  switch (requestForm(method)) {
    case "none":
      return undefined;
    case "content":
      return { content: { "*/*": { schema: CONTENT } } };
    case "json":
      return jsonObject({
        required: isBodyRequired(method) || undefined,
        content: {
          "application/json": { schema: bodySchema(method, context) },
        },
      });
  }
}

/**
 * Returns the schema of a JSON body, with the members that the method requires.
 * The subschema that lists the required members has no `type`, because
 * openapi-typescript would otherwise treat it as an object without properties.
 */
function bodySchema(
  { request, requiredMembers = [], pointer }: Method,
  context: OpenapiContext,
): JsonObject {
  const schema = context.schema(request!, "input", `${pointer}/request`);
  return context.wrap(
    requiredMembers.length === 0
      ? schema
      : { allOf: [schema, { required: [...requiredMembers] }] },
  );
}

/**
 * Returns the request body of an upload, with the media types of all protocols
 * that the method supports: the content; `multipart/related` with metadata and
 * content; or the metadata that starts a resumable upload. Returns undefined if
 * the method supports none of these.
 */
export function uploadBody(
  method: Method,
  context: OpenapiContext,
): JsonObject | undefined {
  const { accept, simple } = method.upload!;
  const types = accept.filter((type) => MEDIA_RANGE.test(type));
  const ranges = types.length === 0 ? ["*/*"] : types;
  const metadata =
    requestForm(method) === "json" ? bodySchema(method, context) : undefined;
  const multipart =
    simple?.multipart === true && metadata !== undefined
      ? multipartBody(metadata, ranges)
      : undefined;
  const content = simple === undefined ? [] : ranges;
  const bodies = jsonMembers([
    ["multipart/related", multipart],
    ["application/json", metadata && { schema: metadata }],
    ...content
      .filter((type) => !TAKEN.has(type))
      .map((type) => [type, { schema: CONTENT }] as const),
  ]);
  return Object.keys(bodies).length === 0 ? undefined : { content: bodies };
}

/** Media types for which an upload body has a separate schema. */
const TAKEN: ReadonlySet<string> = new Set([
  "application/json",
  "multipart/related",
]);

/** Pattern that matches a media type or media range (RFC 9110 §12.5.1). */
const MEDIA_RANGE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/;

function multipartBody(
  metadata: JsonObject,
  types: readonly string[],
): JsonObject {
  return {
    schema: {
      type: "object",
      properties: { metadata, media: CONTENT },
      required: ["metadata", "media"],
    },
    encoding: {
      metadata: { contentType: "application/json" },
      media: { contentType: types.join(", ") },
    },
  };
}

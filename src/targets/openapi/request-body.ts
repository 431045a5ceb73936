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
        ...bodyName(method),
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
  return Object.keys(bodies).length === 0
    ? undefined
    : { content: bodies, ...bodyName(method) };
}

/**
 * Returns the extension that names the body in generated functions, if its type
 * has the name of a path parameter. Generators such as orval otherwise declare
 * `bucket: string` and `bucket: Bucket` in one function.
 */
function bodyName({ request, parameters }: Method): JsonObject {
  const inPath = parameters
    .filter(({ location }) => location === "path")
    .map(({ name }) => comparable(name));
  const isTaken =
    request?.kind === "ref" && inPath.includes(comparable(request.id));
  if (!isTaken) return {};
  return { "x-codegen-request-body-name": "requestBody" };
}

/** Returns a name without the differences between the notations of names. */
function comparable(name: string): string {
  return name.replace(/[\W_]/g, "").toLowerCase();
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

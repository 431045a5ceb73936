import type { Method, Schema } from "../ir.js";
import { objectFields, type Definitions } from "../queries.js";

/**
 * Detects request and response bodies that can have any media type
 * (`google.api.HttpBody`).
 */
export function detectRawBodies(
  { request, response, upload, download }: Method,
  definitions: Definitions,
): { readonly isRequestRaw: boolean; readonly isResponseRaw: boolean } {
  return {
    isRequestRaw: upload === undefined && isHttpBody(request, definitions),
    isResponseRaw: download === undefined && isHttpBody(response, definitions),
  };
}

/**
 * Tests whether a schema is `google.api.HttpBody`: it has the members
 * `contentType` and `data`. The name is not tested, since documents use
 * different names for this message.
 */
function isHttpBody(
  schema: Schema | undefined,
  definitions: Definitions,
): boolean {
  if (schema?.kind !== "ref" || !schema.id.endsWith("HttpBody")) return false;
  const fields = objectFields(schema, definitions);
  const formats = new Map(
    fields.map(({ name, schema: type }) => [
      name,
      type.kind === "scalar" ? (type.format ?? type.type) : type.kind,
    ]),
  );
  return (
    formats.get("contentType") === "string" && formats.get("data") === "byte"
  );
}

import type { Definition, Mutable, Method, Schema } from "../ir.js";
import { objectFields } from "./token-pagination.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Marks bodies that are content of any type and not JSON (`google.api.HttpBody`). */
export function markRawBodies(
  method: Mutable<Method>,
  definitions: Definitions,
): void {
  const { request, response, upload, download } = method;
  if (upload === undefined && isHttpBody(request, definitions))
    method.rawRequest = true;
  if (download === undefined && isHttpBody(response, definitions))
    method.rawResponse = true;
}

/**
 * Whether a schema is that message, by its members: the type and the bytes of
 * the content, and maybe `extensions`. Documents name it in several ways.
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

import { textPattern } from "./text-pattern.js";
import type { RawDocument, RawMethod, RawSchema } from "../../load/raw.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";

/** Values of `labels` that the description format allows. */
const LABELS = new Set(["limited_availability", "labs", "deprecated"]);

/** HTTP methods that APIs can use (RFC 9110; RFC 5789 for PATCH). */
const HTTP_METHODS = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

const DECIMAL = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/;

/**
 * Reports values of `id`, `labels` and `protocol` that the description format
 * does not allow.
 */
export function checkDocument(
  { id, name, version, labels = [], protocol }: RawDocument,
  context: BuildContext,
): void {
  if (id !== undefined && id !== `${name}:${version}`)
    context.report(
      "document-id",
      `id must be ${JSON.stringify(`${name}:${version}`)}, found ${JSON.stringify(id)}`,
      "/id",
    );
  for (const [index, label] of labels.entries())
    if (!LABELS.has(label))
      context.report(
        "document-label",
        `the label ${JSON.stringify(label)} is unknown`,
        `/labels/${index}`,
      );
  if (protocol !== undefined && protocol !== "rest")
    context.report(
      "document-protocol",
      `protocol must be "rest", found ${JSON.stringify(protocol)}`,
      "/protocol",
    );
}

/**
 * Reports a duplicate id, an unknown HTTP method and an invalid `maxSize` of a
 * method.
 */
export function checkMethod(
  { id, httpMethod, mediaUpload }: RawMethod,
  hasSize: boolean,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (id !== undefined && !context.reserveMethodId(id))
    context.report(
      "method-duplicate",
      `another method has the id ${JSON.stringify(id)}`,
      child(at, "id"),
    );
  // An httpMethod that is not an HTTP token is already reported with the code
  // `method-http`.
  const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(httpMethod ?? "");
  if (isToken && !HTTP_METHODS.has(httpMethod!.toUpperCase()))
    context.report(
      "method-http-unknown",
      `httpMethod ${JSON.stringify(httpMethod)} is unknown`,
      child(at, "httpMethod"),
    );
  const maxSize = mediaUpload?.maxSize;
  if (maxSize !== undefined && !hasSize)
    context.report(
      "limit-invalid",
      `maxSize must be a size such as "10MB", found ${JSON.stringify(maxSize)}`,
      child(at, "mediaUpload", "maxSize"),
    );
}

/** Reports an `id` that differs from the key of the schema. */
export function checkSchemaId(
  key: string,
  { id }: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (id !== undefined && id !== key)
    context.report(
      "schema-id",
      `id must equal the key ${JSON.stringify(key)}, found ${JSON.stringify(id)}`,
      child(at, "id"),
    );
}

/**
 * Reports invalid values of `pattern`, `minimum` and `maximum`, and regular
 * expressions in `format` that are invalid.
 */
export function checkLimits(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): void {
  const { minimum, maximum } = raw;
  const pattern = textPattern(raw);
  if (pattern !== undefined && !context.isPattern(pattern)) {
    const key = raw.pattern === undefined ? "format" : "pattern";
    context.report(
      "limit-invalid",
      `${key} must be a regular expression, found ${JSON.stringify(raw[key]!.slice(0, 200))}`,
      child(at, key),
    );
  }
  if (minimum !== undefined) checkLimit("minimum", minimum, at, context);
  if (maximum !== undefined) checkLimit("maximum", maximum, at, context);
}

function checkLimit(
  key: "minimum" | "maximum",
  limit: string | number,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (!DECIMAL.test(String(limit)))
    context.report(
      "limit-invalid",
      `${key} must be a number, found ${JSON.stringify(limit)}`,
      child(at, key),
    );
}

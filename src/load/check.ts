import { formatCount } from "../diagnostics/format-count.js";
import checkDocument, { type CheckError } from "#built/check-document.js";
import type { Sink } from "../diagnostics/sink.js";
import { extensionAt, removeAt } from "./extensions.js";
import { resolvePointer } from "../diagnostics/types.js";
import type { RawDocument } from "./raw.js";

/** Maximum number of errors reported for a document. */
const MAX_ERRORS = 20;

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

/** JSON Schema keywords whose errors only repeat an error of a subschema. */
const STRUCTURAL = new Set(["if", "anyOf", "oneOf", "allOf", "propertyNames"]);

/**
 * Checks a document against the compiled JSON Schema. Reports errors and
 * returns undefined if there are any.
 */
export function checkShape(
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): RawDocument | undefined {
  if (checkDocument(value)) return value as unknown as RawDocument;
  const leafErrors = (checkDocument.errors ?? []).filter(
    ({ keyword }) => !STRUCTURAL.has(keyword),
  );
  const errors = dropExtensions(leafErrors, value, sink);
  if (errors.length === 0) return value as unknown as RawDocument;
  const messages = new Map(
    errors.map((error) => [messageOf(error, value), error]),
  );
  for (const [message, error] of [...messages].slice(0, MAX_ERRORS)) {
    const isMissing = error.keyword === "required";
    sink.report(
      isMissing ? "shape-missing" : "shape-wrong-type",
      message,
      error.instancePath,
    );
  }
  const omitted = messages.size - MAX_ERRORS;
  if (omitted > 0)
    sink.report(
      "shape-wrong-type",
      `${formatCount(omitted, "more error is", "more errors are")} not shown`,
      "",
    );
  return undefined;
}

/**
 * Reports and removes invalid extension fields (such as `x-errors`), because
 * the rest of the document is usable. Returns the errors that concern other
 * fields.
 */
function dropExtensions(
  errors: readonly CheckError[],
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): CheckError[] {
  const dropped = new Map<string, string>();
  const rest: CheckError[] = [];
  for (const error of errors) {
    const pointer = extensionAt(error);
    if (pointer === undefined) rest.push(error);
    else if (!dropped.has(pointer))
      dropped.set(pointer, messageOf(error, value));
  }
  for (const [pointer, message] of [...dropped].slice(0, MAX_ERRORS))
    sink.report("extension-invalid", message, pointer);
  for (const pointer of dropped.keys()) removeAt(value, pointer);
  return rest;
}

/** Formats an error, such as `/schemas/Foo/type must be a string, found 5`. */
function messageOf(error: CheckError, root: unknown): string {
  const subject =
    error.instancePath === "" ? "the document" : error.instancePath;
  const { type, missingProperty, allowedValues } = error.params;
  if (error.propertyName !== undefined)
    return `${subject} must not have the key ${JSON.stringify(error.propertyName)}`;
  if (error.keyword === "required")
    return `${subject} must have the field ${missingProperty}`;
  if (error.keyword === "minItems" || error.keyword === "maxItems")
    return `${subject} must have at ${error.keyword === "minItems" ? "least" : "most"} ${error.params.limit} elements`;
  if (error.keyword === "minLength") return `${subject} must not be empty`;
  if (allowedValues !== undefined)
    return `${subject} must be one of ${allowedValues.map(show).join(", ")}, found ${show(resolvePointer(root, error.instancePath))}`;
  if (type === undefined) return `${subject} ${error.message ?? "is invalid"}`;
  const actual = show(resolvePointer(root, error.instancePath));
  return `${subject} must be ${expected(type, error)}, found ${actual}`;
}

function expected(type: string | readonly string[], error: CheckError): string {
  const types = typeof type === "string" ? [type] : type;
  // `additionalProperties` can also be a boolean. The document schema allows
  // this with `if`, so the error names only the type `object`.
  const also = error.instancePath.endsWith("/additionalProperties")
    ? ["boolean"]
    : [];
  return [...types, ...also]
    .map((name) => WITH_ARTICLE[name] ?? name)
    .join(" or ");
}

/**
 * Describes a value in at most 60 characters. For objects and arrays, only the
 * type is given.
 */
function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

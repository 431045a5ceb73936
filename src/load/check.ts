import checkDocument from "#built/check-document.js";
import type { CheckError } from "#built/check-document.js";
import type { Sink } from "../diagnostics/sink.js";
import { extensionAt, removeAt } from "./extensions.js";
import { resolvePointer } from "../diagnostics/types.js";
import type { RawDocument } from "./raw.js";

/** Errors reported for one document; more of them help nobody. */
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

/** Keywords that only say which branch of the schema another error is from. */
const STRUCTURAL = new Set(["if", "anyOf", "oneOf", "allOf", "propertyNames"]);

/** Checks field types with the compiled document schema; reports what is wrong. */
export function checkShape(
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): RawDocument | undefined {
  if (checkDocument(value)) return value as unknown as RawDocument;
  const all = (checkDocument.errors ?? []).filter(
    ({ keyword }) => !STRUCTURAL.has(keyword),
  );
  const errors = dropExtensions(all, value, sink);
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
  const left = messages.size - MAX_ERRORS;
  if (left > 0)
    sink.report("shape-wrong-type", `and ${left} more of the kind`, "");
  return undefined;
}

/**
 * Reports and removes extensions that are wrong: the rest of the document
 * means what it means without them. Gives the errors about that rest.
 */
function dropExtensions(
  errors: readonly CheckError[],
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): CheckError[] {
  const dropped = new Map<string, string>();
  const rest: CheckError[] = [];
  for (const error of errors) {
    const place = extensionAt(error);
    if (place === undefined) rest.push(error);
    else if (!dropped.has(place)) dropped.set(place, messageOf(error, value));
  }
  for (const [place, message] of [...dropped].slice(0, MAX_ERRORS))
    sink.report("extension-invalid", message, place);
  for (const place of dropped.keys()) removeAt(value, place);
  return rest;
}

/** `/schemas/Foo/type must be a string, found 5` */
function messageOf(error: CheckError, root: unknown): string {
  const place = error.instancePath === "" ? "the document" : error.instancePath;
  const { type, missingProperty, allowedValues } = error.params;
  if (error.propertyName !== undefined)
    return `${place} has the key ${JSON.stringify(error.propertyName)}, which has no meaning there`;
  if (error.keyword === "required") return `${place} has no ${missingProperty}`;
  if (error.keyword === "minLength") return `${place} must not be empty`;
  if (allowedValues !== undefined)
    return `${place} must be one of ${allowedValues.map(show).join(", ")}, found ${show(resolvePointer(root, error.instancePath))}`;
  if (type === undefined) return `${place} ${error.message ?? "is wrong"}`;
  const found = show(resolvePointer(root, error.instancePath));
  return `${place} must be ${expected(type, error)}, found ${found}`;
}

function expected(type: string | readonly string[], error: CheckError): string {
  const types = typeof type === "string" ? [type] : type;
  // The schema asks for an object only where it is not the boolean or the array.
  const also = error.instancePath.endsWith("/additionalProperties")
    ? ["boolean"]
    : [];
  return [...types, ...also]
    .map((name) => WITH_ARTICLE[name] ?? name)
    .join(" or ");
}

/** The value in short: what it is tells more than what is in it. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

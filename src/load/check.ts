import checkDocument from "#built/check-document.js";
import type { CheckError } from "#built/check-document.js";
import type { Sink } from "../diagnostics/sink.js";
import { resolvePointer } from "../diagnostics/types.js";
import type { RawDocument } from "./raw.js";

/** Errors reported for one document; more of them help nobody. */
const MAX_ERRORS = 20;

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

/** Keywords that only say which branch of the schema another error is from. */
const STRUCTURAL = new Set(["if", "anyOf", "oneOf", "allOf"]);

/** Checks field types with the compiled document schema; reports what is wrong. */
export function checkShape(
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): RawDocument | undefined {
  if (checkDocument(value)) return value as unknown as RawDocument;
  const errors = (checkDocument.errors ?? []).filter(
    ({ keyword }) => !STRUCTURAL.has(keyword),
  );
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

/** `/schemas/Foo/type must be a string, found 5` */
function messageOf(error: CheckError, root: unknown): string {
  const place = error.instancePath === "" ? "the document" : error.instancePath;
  const { type, missingProperty } = error.params;
  if (error.keyword === "required") return `${place} has no ${missingProperty}`;
  if (error.keyword === "minLength") return `${place} must not be empty`;
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

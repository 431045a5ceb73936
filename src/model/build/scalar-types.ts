import type { RawSchema } from "../../load/raw.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import type { ScalarType } from "../ir.js";
import { isFormatPattern, textPattern } from "./text-pattern.js";

/** Formats that a string schema can have. */
export const TEXT_FORMATS: readonly string[] = [
  "int64",
  "uint64",
  "byte",
  "date",
  "date-time",
  "google-datetime",
  "google-duration",
  "google-fieldmask",
];

/** Map from schema type to the formats that the generator supports. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", TEXT_FORMATS],
  ["integer", ["int32", "uint32", "int64", "uint64"]],
  ["number", ["float", "double"]],
  ["any", ["google.protobuf.Value"]],
  ["object", ["google.protobuf.Any"]],
]);

/**
 * Returns the scalar type of a schema. If the schema has another type, reports
 * it and returns undefined.
 */
export function scalarType(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): ScalarType | undefined {
  switch (raw.type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return raw.type;
    case undefined:
      return inferType(raw, at, context);
    default:
      context.report(
        "schema-unknown-type",
        `type ${JSON.stringify(raw.type)} is unknown`,
        child(at, "type"),
      );
      return undefined;
  }
}

/**
 * Returns the `string` type for a schema that has a format or pattern but no
 * type.
 */
function inferType(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): ScalarType | undefined {
  const isText =
    textPattern(raw) !== undefined ||
    (raw.format !== undefined && TEXT_FORMATS.includes(raw.format));
  context.report(
    "schema-untyped",
    `the schema has neither type nor $ref; it is treated as ${isText ? "string" : "any"}`,
    at,
  );
  return isText ? "string" : undefined;
}

/**
 * Reports a format that is not supported for the type. The type is then used
 * without a format.
 */
export function checkFormat(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (
    raw.format === undefined ||
    isFormatPattern(raw) ||
    FORMATS.get(raw.type ?? "string")?.includes(raw.format) === true
  )
    return;
  context.report(
    "schema-unknown-format",
    `format ${JSON.stringify(raw.format)} of type ${raw.type ?? "string"} is unknown`,
    child(at, "format"),
  );
}

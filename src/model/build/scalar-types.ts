import type { RawSchema } from "../../load/raw.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import type { ScalarType } from "../ir.js";

/** The formats that the generator knows, by the type they go with. */
const TEXT_FORMATS: readonly string[] = [
  "int64",
  "uint64",
  "byte",
  "date",
  "date-time",
  "google-datetime",
  "google-duration",
  "google-fieldmask",
];

const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", TEXT_FORMATS],
  ["integer", ["int32", "uint32", "int64", "uint64"]],
  ["number", ["float", "double"]],
  ["any", ["google.protobuf.Value"]],
  ["object", ["google.protobuf.Any"]],
]);

/** The scalar type of a node; undefined, with a diagnostic, where it has none. */
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
      return untyped(raw, at, context);
    default:
      context.report(
        "schema-unknown-type",
        `type ${JSON.stringify(raw.type)} is unknown`,
        child(at, "type"),
      );
      return undefined;
  }
}

/** Without type, format or pattern can still tell that the value is a string. */
function untyped(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): ScalarType | undefined {
  const isText =
    raw.pattern !== undefined ||
    (raw.format !== undefined && TEXT_FORMATS.includes(raw.format));
  context.report(
    "schema-untyped",
    `has neither type nor $ref and is taken as ${isText ? "string" : "any"}`,
    at,
  );
  return isText ? "string" : undefined;
}

/** Reports a format that does not go with the type; the type then counts. */
export function checkFormat(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): void {
  if (
    raw.format === undefined ||
    FORMATS.get(raw.type ?? "string")?.includes(raw.format) === true
  )
    return;
  context.report(
    "schema-unknown-format",
    `format ${JSON.stringify(raw.format)} of type ${raw.type ?? "string"} is unknown`,
    child(at, "format"),
  );
}

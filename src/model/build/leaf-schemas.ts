import type { RawSchema } from "../../load/raw.js";
import type { Schema } from "../ir.js";
import { checkFormat, scalarType } from "./scalar-types.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { isFormatPattern } from "./text-pattern.js";

/** Schema of values for which the document does not declare a type. */
export const ANY: Schema = { kind: "any" };

/**
 * Builds the schema of a string, number or boolean. If the schema has another
 * type, reports it and returns undefined.
 */
export function buildScalar(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Schema | undefined {
  const type = scalarType(raw, at, context);
  checkFormat(raw, at, context);
  if (type === undefined) return undefined;
  return context.scalar(type, isFormatPattern(raw) ? undefined : raw.format);
}

/** Builds a reference to the schema whose id is in `$ref`. */
export function buildReference(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Schema {
  const id = raw.$ref!;
  if (raw.type !== undefined || raw.properties !== undefined) {
    context.report(
      "schema-ambiguous",
      `the schema has both $ref and ${raw.type === undefined ? "properties" : "type"}; $ref is used`,
      at,
    );
  }
  if (context.schemaIds.has(id)) return { kind: "ref", id };
  const bare = id.replace(/^#\/schemas\//, "").replace(/^#/, "");
  if (context.schemaIds.has(bare)) {
    context.report(
      "legacy-shape",
      `$ref must be the schema id ${JSON.stringify(bare)}, found ${JSON.stringify(id)}`,
      child(at, "$ref"),
    );
    return { kind: "ref", id: bare };
  }
  context.report(
    "ref-missing",
    `$ref ${JSON.stringify(id)} does not refer to a schema`,
    child(at, "$ref"),
  );
  return ANY;
}

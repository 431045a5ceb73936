import type { Constraints, Schema } from "../../model/ir.js";
import { type Definitions, resolveAlias } from "../../model/queries.js";
import { judgePattern } from "../validator/patterns.js";
import { type Json, jsonObject, type JsonObject } from "./json.js";

/**
 * JSON Schema keywords for constraints, and notes about the constraints that no
 * keyword can express.
 */
export interface ConstraintKeywords {
  readonly keywords: JsonObject;
  readonly notes: Readonly<Record<string, Json | undefined>>;
}

/**
 * Converts the constraints of a value to JSON Schema keywords.
 * @param schema schema of the value, as returned by `valueSchema`
 */
export function constraintKeywords(
  { default: fallback, format, pattern, values, ...limits }: Constraints,
  schema: Schema,
): ConstraintKeywords {
  const type = schema.kind === "scalar" ? schema.type : schema.kind;
  const isText = type === "string" && pattern !== undefined;
  const found: Record<string, Json | undefined> = {
    pattern: isText ? exportedPattern(pattern) : undefined,
    minimum: limitOf(limits.minimum, type),
    maximum: limitOf(limits.maximum, type),
    default: typedValue(fallback, type, schema),
  };
  const all = { pattern, ...limits, default: fallback };
  const missing = Object.entries(all).filter(
    ([name, text]) => text !== undefined && found[name] === undefined,
  );
  return {
    keywords: jsonObject(found),
    notes: {
      ...Object.fromEntries(missing),
      format: schema.kind === "scalar" ? undefined : format,
      values: values?.map((entry) => jsonObject({ ...entry })),
    },
  };
}

/**
 * Returns the schema at the end of a chain of aliases. If that schema is a
 * reference to an enum, returns the enum itself.
 */
export function valueSchema(schema: Schema, definitions: Definitions): Schema {
  const target = resolveAlias(schema, definitions);
  const body =
    target.kind === "ref" ? definitions.get(target.id)?.body : undefined;
  return body?.kind === "enum" ? body : target;
}

function limitOf(text: string | undefined, type: string): Json | undefined {
  return type === "number" || type === "integer"
    ? typedValue(text, type)
    : undefined;
}

/**
 * Converts the text of a constraint to the type of the value. Returns undefined
 * if the text is not a value of that type.
 * @param type scalar type, or kind of a schema that is not scalar
 * @param schema schema of the value; if it is an enum, the text must be one of
 *   its values
 */
function typedValue(
  text: string | undefined,
  type: string,
  schema?: Schema,
): Json | undefined {
  if (text === undefined) return undefined;
  switch (type) {
    case "string":
      return text;
    case "enum":
      return schema?.kind === "enum" && isListed(text, schema)
        ? text
        : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "integer":
    case "number":
      return numberOf(text, type);
    default:
      return undefined;
  }
}

function isListed(
  text: string,
  { values, open }: Extract<Schema, { kind: "enum" }>,
): boolean {
  return open === true || values.some(({ value }) => value === text);
}

/** Parses a number. Returns undefined if JSON can't represent it exactly. */
function numberOf(text: string, type: string): number | undefined {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return undefined;
  return type === "integer" && !Number.isSafeInteger(value) ? undefined : value;
}

/**
 * Pattern that matches unnecessary escapes. Unicode mode does not allow them.
 */
const NEEDLESS = /\\([^\w\s^$\\.*+?()[\]{}|/-]|_)/g;

/**
 * Converts a regular expression to the syntax that JSON Schema requires:
 * ECMAScript with the `u` flag. Returns undefined for patterns that generated
 * validators do not enforce, because they are not anchored or their running
 * time is not bounded.
 */
export function exportedPattern(source: string): string | undefined {
  if (judgePattern(source) !== "enforced") return undefined;
  return [source, source.replace(NEEDLESS, "$1"), withoutDashes(source)].find(
    isUnicodePattern,
  );
}

/**
 * Removes escapes that are invalid in Unicode mode, including escapes of dashes
 * outside of character classes.
 */
function withoutDashes(source: string): string {
  const plain = source.replace(NEEDLESS, "$1");
  return plain.replace(/\[(?:\\.|[^\]\\])*(?:\]|\\?$)|\\-/gs, (match) =>
    match === "\\-" ? "-" : match,
  );
}

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

import type { Definition, EnumValue, Field } from "../model/ir.js";
import { withMembers } from "./resource-fields.js";
import { valuesInProse } from "./states.js";
import type { JsonObject } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Pattern for values of a completed operation or job. */
const FINAL = /^(done|completed?|succeeded|success)$/i;

/**
 * Returns the value that a field such as `status` has when the work is complete;
 * undefined if its enum or its description has no such value. A text without
 * listed values is `DONE`.
 */
function finalValue(
  field: Field,
  definitions: Definitions,
): string | undefined {
  const values = valuesOf(field, definitions);
  return values === undefined
    ? "DONE"
    : values.find((text) => FINAL.test(text));
}

/** Returns a generated operation in its state at the end, without errors. */
export function completed(
  operation: JsonObject,
  fields: ReadonlyMap<string, Field>,
  definitions: Definitions,
): JsonObject {
  const kept = Object.entries(operation).filter(
    ([name]) => name !== "error" && !describesError(fields.get(name)),
  );
  const status = fields.get("status");
  const value = status && finalValue(status, definitions);
  const rest = Object.fromEntries(kept);
  const ended = value === undefined ? rest : { ...rest, status: value };
  return withMembers(ended, fields, {
    progress: 100,
    done: true,
  });
}

/** Tests whether a member is present only after an error, by its description. */
function describesError(field: Field | undefined): boolean {
  const { description = "", flags } = field ?? {};
  return (
    flags?.required === undefined &&
    (/\bif (an?|any|the) error\b/i.test(description) ||
      /\bdeprecated\b.{0,40}\berror\b/is.test(description))
  );
}

/**
 * Returns the values of an enum, or those that the description of a text lists;
 * undefined if there are none.
 */
export function valuesOf(
  { schema, description }: Pick<Field, "schema" | "description">,
  definitions: Definitions,
): readonly string[] | undefined {
  const body =
    schema.kind === "ref" ? definitions.get(schema.id)?.body : schema;
  if (body?.kind === "enum")
    return body.values.map(({ value }: EnumValue) => value);
  const prose = valuesInProse(description);
  return prose.length === 0 ? undefined : prose;
}

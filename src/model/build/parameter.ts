import type { RawSchema } from "../../load/raw.js";
import type { ListForm, Mutable, Parameter, Schema } from "../ir.js";
import { type BuildContext, child, type DocumentPath } from "./context.js";
import { checkLimits } from "./document-checks.js";
import { enumValues, openness } from "./enums.js";
import { buildConstraints, buildFieldFlags } from "./field-flags.js";
import { checkKeys } from "./keys.js";
import { ANY, buildScalar } from "./leaf-schemas.js";
import { buildNode, withoutAlternatives } from "./schema.js";

/** Builds a parameter of one method or of all methods. */
export function buildParameter(
  owner: string,
  name: string,
  declared: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Mutable<Parameter> {
  checkKeys("schema", declared, at, context);
  const raw =
    declared["x-one-of"] === undefined
      ? declared
      : withoutAlternatives(
          declared,
          `x-one-of is not allowed on parameters; remove it from ${name}`,
          at,
          context,
        );
  checkLimits(raw, at, context);
  const parameter: Mutable<Parameter> = {
    name,
    location: raw.location === "path" ? "path" : "query",
    schema: parameterSchema(owner, name, raw, at, context),
    repeated: raw.repeated === true,
    ...listForms(raw),
    flags: buildFieldFlags(raw),
    constraints: buildConstraints(raw),
  };
  if (
    raw.location !== undefined &&
    raw.location !== "path" &&
    raw.location !== "query"
  ) {
    context.report(
      "parameter-location",
      `the location of ${name} must be "path" or "query", found ${JSON.stringify(raw.location)}; the parameter is sent in the query`,
      child(at, "location"),
    );
  }
  if (raw.description !== undefined)
    parameter.description = context.prose(raw.description);
  return parameter;
}

/**
 * Builds the schema of a parameter. Enums stay inline; an object becomes a
 * separate definition.
 */
function parameterSchema(
  owner: string,
  name: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
): Schema {
  const isPlain =
    raw.$ref === undefined &&
    raw.type !== "array" &&
    raw.type !== "object" &&
    raw.properties === undefined;
  if (!isPlain)
    return buildNode(raw, at, context, { id: owner, field: name, depth: 0 });
  if (raw.type === "any") return ANY;
  const values = enumValues(raw, at, context);
  if (values !== undefined) return { kind: "enum", values, ...openness(raw) };
  return buildScalar(raw, at, context) ?? { kind: "scalar", type: "string" };
}

/**
 * Parses the `x-list-forms` extension of a repeated parameter, which declares
 * additional encodings of the list in a URL. Ignores unknown encodings.
 */
function listForms(raw: RawSchema): {
  readonly forms?: readonly ListForm[];
} {
  const value: unknown = raw["x-list-forms"];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const forms = list.filter(
    (form): form is ListForm => form === "comma" || form === "brackets",
  );
  return forms.length === 0 || raw.repeated !== true ? {} : { forms };
}

import type {
  Body,
  Definition,
  FieldFlags,
  Constraints,
  Schema,
} from "../../model/ir.js";
import { methodsRequiring } from "../../model/queries.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Data } from "../../render/typescript/literals.js";
import type { Entries } from "../shared/entries.js";

/** Returns a definition in the format of the test plan. */
export function definitionData(
  { body }: Definition,
  trustProse: boolean,
): Data {
  switch (body.kind) {
    case "enum":
      return { enum: body.values.map(({ value }) => value) };
    case "alias":
      return typeData(body.schema, {}, {}, trustProse);
    case "variant":
      return {
        variant: body.discriminant,
        options: Object.fromEntries(
          body.options.map(({ value, id }) => [value, id]),
        ),
        base: body.base,
      };
    case "object":
      return objectData(body, trustProse);
  }
}

function objectData(
  { fields, additional }: Extract<Body, { kind: "object" }>,
  trustProse: boolean,
): Data {
  return {
    fields: Object.fromEntries(
      fields.map(({ name, schema, flags, constraints }) => [
        name,
        typeData(schema, flags, constraints, trustProse),
      ]),
    ),
    additional:
      additional === undefined
        ? undefined
        : typeData(additional, {}, {}, trustProse),
  };
}

/**
 * Returns a schema, with the flags and constraints of its field, in the format
 * of the test plan.
 */
export function typeData(
  schema: Schema,
  flags: FieldFlags,
  constraints: Constraints,
  trustProse: boolean,
): Data {
  const limits = { ...schema.constraints, ...constraints };
  const required = methodsRequiring(flags, trustProse);
  const rules: Entries = {
    minimum: limits.minimum,
    maximum: limits.maximum,
    pattern: limits.pattern,
    readOnly: isBinding(flags.readOnly, trustProse) || undefined,
    present: isBinding(flags.present, trustProse) || undefined,
    required: required.length > 0 ? required : undefined,
  };
  const plain = plainData(schema, trustProse, limits.format);
  const values = limits.values?.map(({ value }) => value);
  const isPlain = Object.values(rules).every((rule) => rule === undefined);
  if (isPlain && values === undefined) return plain;
  return { of: plain, ...rules };
}

function plainData(
  schema: Schema,
  trustProse: boolean,
  format: string | undefined,
): Data {
  switch (schema.kind) {
    case "any":
      return "any";
    case "ref":
      return `#${schema.id}`;
    case "enum":
      return { enum: schema.values.map(({ value }) => value) };
    case "list":
      return [typeData(schema.items, {}, {}, trustProse)];
    case "map":
      return { map: typeData(schema.values, {}, {}, trustProse) };
    case "scalar": {
      const form = schema.format ?? format;
      return form === undefined ? schema.type : `${schema.type}:${form}`;
    }
  }
}

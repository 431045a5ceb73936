import { TEXT_FORMATS } from "../../model/build/scalar-types.js";
import type { Parameter, Schema } from "../../model/ir.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Data } from "../../render/typescript/literals.js";
import { compileParameter } from "../../runtime/server/parameters/decoder.js";
import type { ParameterRules } from "../../runtime/server/contract.js";

/** Map from scalar type to the formats that servers validate. */
const ENFORCED_FORMATS: Readonly<Record<string, ReadonlySet<string>>> = {
  integer: new Set(["int32", "uint32"]),
  string: new Set(TEXT_FORMATS),
};

/** Returns the rules by which a server decodes and validates a parameter. */
export function rulesOf(
  parameter: Parameter,
  trustProse: boolean,
): ParameterRules {
  const { schema, constraints, flags, location } = parameter;
  const isList = schema.kind === "list";
  const element = isList ? schema.items : schema;
  const values =
    valuesOf(element) ?? constraints.values?.map(({ value }) => value);
  const isRequired =
    location === "query" && isBinding(flags.required, trustProse);
  return dropAbsent({
    type: typeOf(element, constraints.format),
    repeated: parameter.repeated || isList || undefined,
    required: isRequired || undefined,
    default: constraints.default,
    minimum: constraints.minimum,
    maximum: constraints.maximum,
    pattern: constraints.pattern,
    enum: values,
    open: (element.kind === "enum" && element.open) || undefined,
    forms: parameter.forms,
  }) as unknown as ParameterRules;
}

/**
 * Returns the rules of a parameter as data for generated code. If there is no
 * rule except the type, the data is only the name of the type.
 */
export function rulesData(rules: ParameterRules): Data {
  return Object.keys(rules).length === 1
    ? rules.type
    : (rules as unknown as Data);
}

/**
 * Tests whether handlers always receive a value for a parameter, because it is
 * required or has a default value.
 */
export function isPresent(parameter: Parameter, trustProse: boolean): boolean {
  if (isBinding(parameter.flags.required, trustProse)) return true;
  const rules = rulesOf(parameter, trustProse);
  return (
    rules.default !== undefined &&
    compileParameter(parameter.name, rules).fallback !== undefined
  );
}

function typeOf(schema: Schema, format: string | undefined): string {
  if (schema.kind !== "scalar") return "string";
  const isEnforced = ENFORCED_FORMATS[schema.type]?.has(format ?? "") === true;
  return isEnforced ? format! : schema.type;
}

function valuesOf(schema: Schema): readonly string[] | undefined {
  return schema.kind === "enum"
    ? schema.values.map(({ value }) => value)
    : undefined;
}

function dropAbsent(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  );
}

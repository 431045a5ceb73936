import type { Parameter, Schema } from "../../model/ir.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Data } from "../../render/typescript/literals.js";
import { compileParameter } from "../../runtime/server/parameters/decoder.js";
import type { ParameterRules } from "../../runtime/server/contract.js";

/** Formats that bind the values of a type, beside the type itself. */
const BINDING: Readonly<Record<string, ReadonlySet<string>>> = {
  integer: new Set(["int32", "uint32"]),
  string: new Set(["int64", "uint64"]),
};

/** What a server has to know of a parameter, nothing else. */
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

/** The same as generated code holds it: the type alone, where that is all. */
export function rulesData(rules: ParameterRules): Data {
  return Object.keys(rules).length === 1
    ? rules.type
    : (rules as unknown as Data);
}

/** Whether the server always has a value, because the caller must give one or there is a default. */
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
  const isBinding = BINDING[schema.type]?.has(format ?? "") === true;
  return isBinding ? format! : schema.type;
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

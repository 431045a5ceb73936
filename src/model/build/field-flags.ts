import type { RawSchema } from "../../load/raw.js";
import type { Mutable, FieldFlags, Constraints } from "../ir.js";
import { plainValues } from "./enums.js";
import {
  deprecation,
  readOnlyFlag,
  requiredFlag,
} from "../infer/field-flags.js";

/** Builds the flags of a field or parameter. */
export function buildFieldFlags(raw: RawSchema): Mutable<FieldFlags> {
  const flags: Mutable<FieldFlags> = {};
  const required = requiredFlag(raw);
  const readOnly = readOnlyFlag(raw);
  if (required !== undefined) flags.required = required;
  if (readOnly !== undefined) flags.readOnly = readOnly;
  if (raw.deprecated === true) flags.deprecated = deprecation;
  if (raw.annotations?.required !== undefined)
    flags.requiredBy = [...raw.annotations.required];
  return flags;
}

/**
 * Builds the constraints of a schema, such as its default value, format and
 * limits. Numbers are converted to strings.
 */
export function buildConstraints(raw: RawSchema): Mutable<Constraints> {
  const constraints: Mutable<Constraints> = {};
  if (raw.default !== undefined && raw.default !== null)
    constraints.default = String(raw.default);
  if (raw.format !== undefined) constraints.format = raw.format;
  if (raw.pattern !== undefined) constraints.pattern = raw.pattern;
  if (raw.minimum !== undefined) constraints.minimum = String(raw.minimum);
  if (raw.maximum !== undefined) constraints.maximum = String(raw.maximum);
  const values = plainValues(raw);
  if (values.length > 0) constraints.values = values;
  return constraints;
}

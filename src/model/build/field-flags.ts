import type { RawSchema } from "../../load/raw.js";
import type { Mutable, FieldFlags, Constraints } from "../ir.js";
import { plainValues } from "./enums.js";
import { isFormatPattern, textPattern } from "./text-pattern.js";
import {
  deprecation,
  readOnlyFlag,
  requiredFlag,
} from "../infer/field-flags.js";

/** Empty flags and constraints, shared by most fields to limit memory use. */
const NO_FLAGS: FieldFlags = Object.freeze({});
const NO_CONSTRAINTS: Constraints = Object.freeze({});

export function buildFieldFlags(raw: RawSchema): FieldFlags {
  const required = requiredFlag(raw);
  const readOnly = readOnlyFlag(raw);
  const requiredBy = raw.annotations?.required;
  const isFlagged =
    required !== undefined ||
    readOnly !== undefined ||
    raw.deprecated === true ||
    requiredBy !== undefined;
  if (!isFlagged) return NO_FLAGS;
  const flags: Mutable<FieldFlags> = {};
  if (required !== undefined) flags.required = required;
  if (readOnly !== undefined) flags.readOnly = readOnly;
  if (raw.deprecated === true) flags.deprecated = deprecation;
  if (requiredBy !== undefined) flags.requiredBy = [...requiredBy];
  return flags;
}

/**
 * Builds the constraints of a schema, such as its default value, format and
 * limits. Numbers are converted to strings. A regular expression in `format`
 * becomes the pattern.
 */
export function buildConstraints(raw: RawSchema): Constraints {
  if (!isConstrained(raw)) return NO_CONSTRAINTS;
  const constraints: Mutable<Constraints> = {};
  if (raw.default !== undefined && raw.default !== null)
    constraints.default = String(raw.default);
  const pattern = textPattern(raw);
  if (raw.format !== undefined && !isFormatPattern(raw))
    constraints.format = raw.format;
  if (pattern !== undefined) constraints.pattern = pattern;
  if (raw.minimum !== undefined) constraints.minimum = String(raw.minimum);
  if (raw.maximum !== undefined) constraints.maximum = String(raw.maximum);
  const values = plainValues(raw);
  if (values.length > 0) constraints.values = values;
  return constraints;
}

function isConstrained(raw: RawSchema): boolean {
  return (
    raw.format !== undefined ||
    raw.pattern !== undefined ||
    raw.default !== undefined ||
    raw.minimum !== undefined ||
    raw.maximum !== undefined ||
    raw.enum !== undefined
  );
}

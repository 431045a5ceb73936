import type { RawSchema } from "../../load/raw.js";
import type { Draft, Facts, Notes } from "../ir.js";
import { plainValues } from "../infer/enums.js";
import {
  deprecation,
  readOnlyFact,
  requiredFact,
} from "../infer/field-flags.js";

/** Statements that a schema node makes about itself. */
export function buildFacts(raw: RawSchema): Draft<Facts> {
  const facts: Draft<Facts> = {};
  const required = requiredFact(raw);
  const readOnly = readOnlyFact(raw);
  if (required !== undefined) facts.required = required;
  if (readOnly !== undefined) facts.readOnly = readOnly;
  if (raw.deprecated === true) facts.deprecated = deprecation;
  if (raw.annotations?.required !== undefined)
    facts.requiredBy = [...raw.annotations.required];
  return facts;
}

/** The limits and defaults of a node, as text. */
export function buildNotes(raw: RawSchema): Draft<Notes> {
  const notes: Draft<Notes> = {};
  if (raw.default !== undefined && raw.default !== null)
    notes.default = String(raw.default);
  if (raw.format !== undefined) notes.format = raw.format;
  if (raw.pattern !== undefined) notes.pattern = raw.pattern;
  if (raw.minimum !== undefined) notes.minimum = String(raw.minimum);
  if (raw.maximum !== undefined) notes.maximum = String(raw.maximum);
  const values = plainValues(raw);
  if (values.length > 0) notes.values = values;
  return notes;
}

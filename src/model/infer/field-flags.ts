import type { RawSchema } from "../../load/raw.js";
import type { FieldFlags, Flag } from "../ir.js";

const FROM_DOCUMENT: Flag = { from: "document" };
const FROM_PROSE: Flag = { from: "prose" };

/** Flag for schemas and fields with `deprecated: true`. */
export const deprecation: Flag = FROM_DOCUMENT;

/**
 * Pattern for the start of a description that states that a field is required.
 * Some documents use such descriptions instead of the `required` flag.
 */
const REQUIRED =
  /^\s*(?:\[Required\]|Required\b(?! for| if| when| only| unless))/i;

/**
 * Pattern for the start of a description that states that a field is read-only.
 * Some documents use such descriptions instead of the `readOnly` flag.
 */
const OUTPUT_ONLY = /^\s*(?:\[Output[ -]Only\]|Output[ -]only\b)/i;

/**
 * Returns the `required` flag of a field, from the document's flag or from the
 * start of the description.
 */
export function requiredFlag(raw: RawSchema): Flag | undefined {
  if (raw.required === true) return FROM_DOCUMENT;
  return raw.description !== undefined && REQUIRED.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Returns the `readOnly` flag of a field, from the document's flag or from the
 * start of the description.
 */
export function readOnlyFlag(raw: RawSchema): Flag | undefined {
  if (raw.readOnly === true) return FROM_DOCUMENT;
  return raw.description !== undefined && OUTPUT_ONLY.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Tests whether a flag affects types. A flag that was derived from a
 * description affects types only if `trustProse` is true.
 */
export function isBinding(
  flag: Flag | undefined,
  trustProse: boolean,
): boolean {
  return flag !== undefined && (flag.from !== "prose" || trustProse);
}

/**
 * Tests whether a field is present in every value of its object, except in
 * partial responses.
 */
export function isAlwaysPresent(
  { required, present }: FieldFlags,
  trustProse: boolean,
): boolean {
  return isBinding(required, trustProse) || present !== undefined;
}

import type { RawSchema } from "../../load/raw.js";
import type { FieldFlags, Flag } from "../ir.js";

const FROM_DOCUMENT: Flag = { from: "document" };
const FROM_PROSE: Flag = { from: "prose" };

/** Flag of schemas with `deprecated: true`. */
export const deprecation: Flag = FROM_DOCUMENT;

/**
 * Pattern for the start of a description that says that a field is required, in
 * documents without the flag `required`.
 */
const REQUIRED =
  /^\s*(?:\[Required\]|Required\b(?! for| if| when| only| unless))/i;

/**
 * Pattern for the start of a description that says that a field is read-only,
 * in documents without the flag `readOnly`.
 */
const OUTPUT_ONLY = /^\s*(?:\[Output[ -]Only\]|Output[ -]only\b)/i;

/**
 * Returns the flag `required`, from the document or from the start of the
 * description.
 */
export function requiredFlag(raw: RawSchema): Flag | undefined {
  if (raw.required === true) return FROM_DOCUMENT;
  return raw.description !== undefined && REQUIRED.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Returns the flag `readOnly`, from the document or from the start of the
 * description.
 */
export function readOnlyFlag(raw: RawSchema): Flag | undefined {
  if (raw.readOnly === true) return FROM_DOCUMENT;
  return raw.description !== undefined && OUTPUT_ONLY.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Tests whether a flag affects types. A flag from prose does so only with
 * `trustProse`.
 */
export function isBinding(
  flag: Flag | undefined,
  trustProse: boolean,
): boolean {
  return flag !== undefined && (flag.from !== "prose" || trustProse);
}

/** Tests whether every complete value contains the field. */
export function isAlwaysPresent(
  { required, present }: FieldFlags,
  trustProse: boolean,
): boolean {
  return isBinding(required, trustProse) || present !== undefined;
}

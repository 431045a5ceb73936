import type { RawSchema } from "../../load/raw.js";
import type { FieldFlags, Flag } from "../ir.js";

const FROM_DOCUMENT: Flag = { from: "document" };
const FROM_PROSE: Flag = { from: "prose" };

/** Flag for schemas with `deprecated: true`. */
export const deprecation: Flag = FROM_DOCUMENT;

/**
 * Matches the start of a description that marks a field as required without the
 * flag `required`.
 */
const REQUIRED =
  /^\s*(?:\[Required\]|Required\b(?! for| if| when| only| unless))/i;

/**
 * Matches the start of a description that marks a field as read-only without
 * the flag `readOnly`.
 */
const OUTPUT_ONLY = /^\s*(?:\[Output[ -]Only\]|Output[ -]only\b)/i;

/**
 * Returns the flag `required`, from the document or from the first word of the
 * description.
 */
export function requiredFlag(raw: RawSchema): Flag | undefined {
  if (raw.required === true) return FROM_DOCUMENT;
  return raw.description !== undefined && REQUIRED.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Returns the flag `readOnly`, from the document or from the first words of the
 * description.
 */
export function readOnlyFlag(raw: RawSchema): Flag | undefined {
  if (raw.readOnly === true) return FROM_DOCUMENT;
  return raw.description !== undefined && OUTPUT_ONLY.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/**
 * Returns whether a flag changes types. A flag from prose does so only with
 * `trustProse`.
 */
export function isBinding(
  flag: Flag | undefined,
  trustProse: boolean,
): boolean {
  return flag !== undefined && (flag.from !== "prose" || trustProse);
}

/** Returns whether every complete value contains the field. */
export function isAlwaysPresent(
  { required, present }: FieldFlags,
  trustProse: boolean,
): boolean {
  return isBinding(required, trustProse) || present !== undefined;
}

import type { RawSchema } from "../../load/raw.js";
import type { Fact } from "../ir.js";

const FROM_DOCUMENT: Fact = { from: "document" };
const FROM_PROSE: Fact = { from: "prose" };

/** Flag of a schema with `deprecated: true`. */
export const deprecation: Fact = FROM_DOCUMENT;

/** Start of descriptions that mark a required field without the flag `required`. */
const REQUIRED =
  /^\s*(?:\[Required\]|Required\b(?! for| if| when| only| unless))/i;

/** Start of descriptions that mark a read-only field without the flag `readOnly`. */
const OUTPUT_ONLY = /^\s*(?:\[Output[ -]Only\]|Output[ -]only\b)/i;

/** Returns the flag `required`, from the document or from the first word of the description. */
export function requiredFact(raw: RawSchema): Fact | undefined {
  if (raw.required === true) return FROM_DOCUMENT;
  return raw.description !== undefined && REQUIRED.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/** Returns the flag `readOnly`, from the document or from the first words of the description. */
export function readOnlyFact(raw: RawSchema): Fact | undefined {
  if (raw.readOnly === true) return FROM_DOCUMENT;
  return raw.description !== undefined && OUTPUT_ONLY.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/** Tests whether a flag binds types; a flag from prose does so only with `trustProse`. */
export function isBinding(
  fact: Fact | undefined,
  trustProse: boolean,
): boolean {
  return fact !== undefined && (fact.from !== "prose" || trustProse);
}

import type { RawSchema } from "../../load/raw.js";
import type { Fact, FieldFlags } from "../ir.js";

const FROM_DOCUMENT: Fact = { from: "document" };
const FROM_PROSE: Fact = { from: "prose" };

/** `deprecated: true` of the document. */
export const deprecation: Fact = FROM_DOCUMENT;

/** Descriptions that begin so say what the flag `required` should say. */
const REQUIRED =
  /^\s*(?:\[Required\]|Required\b(?! for| if| when| only| unless))/i;

/** Descriptions that begin so say what the flag `readOnly` should say. */
const OUTPUT_ONLY = /^\s*(?:\[Output[ -]Only\]|Output[ -]only\b)/i;

/** Requiredness: the flag, else the description's first word. */
export function requiredFact(raw: RawSchema): Fact | undefined {
  if (raw.required === true) return FROM_DOCUMENT;
  return raw.description !== undefined && REQUIRED.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/** Direction: the flag `readOnly`, else the description's first words. */
export function readOnlyFact(raw: RawSchema): Fact | undefined {
  if (raw.readOnly === true) return FROM_DOCUMENT;
  return raw.description !== undefined && OUTPUT_ONLY.test(raw.description)
    ? FROM_PROSE
    : undefined;
}

/** Whether a fact binds types: prose does so only on option. */
export function isBinding(
  fact: Fact | undefined,
  trustProse: boolean,
): boolean {
  return fact !== undefined && (fact.from !== "prose" || trustProse);
}

/** Returns whether every complete value has the field. */
export function isAlwaysPresent(
  { required, present }: FieldFlags,
  trustProse: boolean,
): boolean {
  return isBinding(required, trustProse) || present !== undefined;
}

import type { RawSchema } from "../../load/raw.js";
import type { Body, Definition, Mutable, EnumValue, Schema } from "../ir.js";
import { openness } from "./enums.js";
import { pointerTo, type DocumentPath, type BuildContext } from "./context.js";

/**
 * Definition or method that contains an inline schema. The id of the inline
 * schema's definition starts with the id of this definition or method.
 */
export interface Owner {
  readonly id: string;
  readonly field: string;
  /** Number of objects, lists and maps in which the schema is nested. */
  readonly depth: number;
}

/** Adds a definition for an inline schema; returns the id of the definition. */
export function addInlineDefinition(
  id: string,
  body: Body,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): string {
  const definition: Mutable<Definition> = {
    id,
    pointer: pointerTo(at),
    inline: { owner: owner.id, field: owner.field },
    body,
  };
  if (raw.description !== undefined)
    definition.description = context.prose(raw.description);
  context.definitions.set(id, definition);
  return id;
}

/** Adds a definition for an inline enum; returns a reference to it. */
export function buildInlineEnum(
  values: EnumValue[],
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const id = context.reserveInlineId(`${owner.id}.${owner.field}`);
  const body: Body = { kind: "enum", values, ...openness(raw) };
  addInlineDefinition(id, body, raw, at, context, owner);
  return { kind: "ref", id };
}

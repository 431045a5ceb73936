import type { RawSchema } from "../../load/raw.js";
import type { Body, Definition, Mutable, EnumValue, Schema } from "../ir.js";
import { openness } from "../infer/enums.js";
import { checkFormat } from "../infer/scalar-types.js";
import { pointerTo, type DocumentPath, type BuildContext } from "./context.js";
import { buildAdditional, buildBody } from "./objects.js";
import { ANY, type Owner } from "./schema.js";

/** An inline object: a map, a free-form object, or a definition of its own. */
export function inlineObject(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const isEmpty =
    raw.properties === undefined || Object.keys(raw.properties).length === 0;
  if (!isEmpty || raw.variant !== undefined)
    return { kind: "ref", id: inlineDefinition(raw, at, context, owner) };
  checkFormat(raw, at, context);
  return {
    kind: "map",
    values: buildAdditional(raw, at, context, owner) ?? ANY,
  };
}

/** Makes a definition of what stands inside another one; returns its id. */
export function inlineDefinition(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): string {
  const id = context.freeId(`${owner.id}.${owner.field}`);
  const body = buildBody(id, raw, at, context, owner.depth);
  return define(id, body, raw, at, context, owner);
}

/** An inline enum as a definition of its own. */
export function inlineEnum(
  values: EnumValue[],
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema {
  const id = context.freeId(`${owner.id}.${owner.field}`);
  const body: Body = { kind: "enum", values, ...openness(raw) };
  return { kind: "ref", id: define(id, body, raw, at, context, owner) };
}

function define(
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

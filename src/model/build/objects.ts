import { sortedKeys } from "../../load/canonical.js";
import type { RawSchema } from "../../load/raw.js";
import type { Body, Field, MutableField, Schema } from "../ir.js";
import { checkLimits } from "../infer/document-checks.js";
import { enumValues, openness } from "../infer/enums.js";
import { child, type DocumentPath, type BuildContext } from "./context.js";
import { buildFieldFlags, buildConstraints } from "./field-flags.js";
import { inlineDefinition } from "./inline.js";
import { checkKeys } from "./keys.js";
import { ANY, buildElement, buildNode, type Owner } from "./schema.js";

/** An object has that type, or members and no type at all. */
export function isObject(raw: RawSchema): boolean {
  if (raw.type === "object") return true;
  return (
    raw.type === undefined &&
    (raw.properties !== undefined || raw.additionalProperties !== undefined)
  );
}

/** What a definition is; `depth` levels lie above it. */
export function buildBody(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  if (raw.variant !== undefined)
    return buildVariant(id, raw, at, context, depth);
  if (raw.$ref === undefined && isObject(raw))
    return buildObject(id, raw, at, context, depth);
  const values =
    raw.$ref === undefined ? enumValues(raw, at, context) : undefined;
  if (values !== undefined) return { kind: "enum", values, ...openness(raw) };
  return {
    kind: "alias",
    schema: buildElement(raw, at, context, { id, field: "item", depth }),
  };
}

/** One of several schemas; properties beside `variant` are common to all of them. */
function buildVariant(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  const options: { value: string; id: string }[] = [];
  for (const [index, option] of (raw.variant?.map ?? []).entries()) {
    const target = option.$ref ?? "";
    if (context.schemaIds.has(target))
      options.push({ value: option.type_value ?? target, id: target });
    else
      context.report(
        "ref-missing",
        `the variant refers to ${JSON.stringify(target)}, which is no schema`,
        child(at, "variant", "map", index),
      );
  }
  const discriminant = raw.variant?.discriminant ?? "type";
  if (Object.keys(raw.properties ?? {}).length === 0)
    return { kind: "variant", discriminant, options };
  const { variant: _, description: __, ...common } = raw;
  const owner = { id, field: "base", depth };
  const base = inlineDefinition(common, at, context, owner);
  return { kind: "variant", discriminant, options, base };
}

function buildObject(
  id: string,
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  depth: number,
): Body {
  const fields: MutableField<Field>[] = [];
  const requiredNames = Array.isArray(raw.required)
    ? new Set(raw.required as string[])
    : undefined;
  const presentNames = namesIn(raw["x-required"]);
  const properties = raw.properties ?? {};
  checkPresent(presentNames, properties, at, context);
  for (const name of sortedKeys(properties)) {
    const place = child(at, "properties", name);
    const owner = { id, field: name, depth: depth + 1 };
    const field = buildField(properties[name]!, place, context, owner);
    if (requiredNames?.has(name)) field.flags.required = { from: "document" };
    if (presentNames.has(name)) field.flags.present = { from: "document" };
    fields.push(field);
  }
  if (requiredNames !== undefined)
    context.report(
      "legacy-shape",
      "required is a list of names",
      child(at, "required"),
    );
  const additional = buildAdditional(raw, at, context, {
    id,
    field: "additionalProperties",
    depth,
  });
  return additional === undefined
    ? { kind: "object", fields }
    : { kind: "object", fields, additional };
}

/** `x-required` speaks of declared properties; other names count for nothing. */
function checkPresent(
  names: ReadonlySet<unknown>,
  properties: object,
  at: DocumentPath,
  context: BuildContext,
): void {
  for (const name of names)
    if (!Object.hasOwn(properties, String(name)))
      context.report(
        "extension-unresolved",
        `x-required names ${JSON.stringify(name)}, which is no property of the schema`,
        child(at, "x-required"),
      );
}

function namesIn(list: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(list) ? list : []);
}

/** The schema of properties that are not declared; undefined where there are none. */
export function buildAdditional(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): Schema | undefined {
  const { additionalProperties } = raw;
  if (additionalProperties === undefined || additionalProperties === false)
    return undefined;
  const place = child(at, "additionalProperties");
  if (additionalProperties === true) {
    context.report("legacy-shape", "additionalProperties is a boolean", place);
    return ANY;
  }
  checkKeys("schema", additionalProperties, place, context);
  const deeper = { ...owner, depth: owner.depth + 1 };
  return buildElement(additionalProperties, place, context, deeper);
}

function buildField(
  raw: RawSchema,
  at: DocumentPath,
  context: BuildContext,
  owner: Owner,
): MutableField<Field> {
  checkKeys("schema", raw, at, context);
  checkLimits(raw, at, context);
  const field: MutableField<Field> = {
    name: owner.field,
    schema: buildNode(raw, at, context, owner),
    flags: buildFieldFlags(raw),
    constraints: buildConstraints(raw),
  };
  if (raw.description !== undefined)
    field.description = context.prose(raw.description);
  return field;
}

import { isObject } from "../diagnostics/json.js";
import type { RawDocument } from "../load/raw.js";
import { schemaOfRef } from "../model/raw-refs.js";
import { rawMethods } from "../model/raw-methods.js";

type Json = Record<string, unknown>;

/**
 * Changes the names that refer to a renamed property: `x-required`, the
 * discriminant of variants, and `x-paging` of methods that return the schema.
 * @param owner schema with the property
 * @param tokens path of the owner in the document
 */
export function renameProperty(
  document: RawDocument,
  owner: Json,
  tokens: readonly string[],
  names: { readonly from: string; readonly to: string },
): void {
  const { from, to } = names;
  replaceName(owner["x-required"], from, to);
  const { variant } = owner;
  if (isObject(variant) && variant["discriminant"] === from)
    variant["discriminant"] = to;
  if (tokens.length !== 2 || tokens[0] !== "schemas") return;
  const key = tokens[1]!;
  for (const schema of Object.values(document.schemas ?? {}))
    renameDiscriminants(schema, key, document, names);
  for (const { raw } of rawMethods(document)) {
    const paging = raw["x-paging"];
    if (isObject(paging) && isRefTo(raw.response, key, document))
      for (const name of ["next", "items"])
        if (paging[name] === from) paging[name] = to;
  }
}

/**
 * Renames the discriminant of each variant that has the given schema as an
 * option, in a value and its nested schemas. If other options still have a
 * property with the old name, the discriminant is not renamed.
 */
function renameDiscriminants(
  value: unknown,
  key: string,
  document: RawDocument,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  if (!isObject(value)) return;
  const { variant } = value;
  if (isObject(variant) && variant["discriminant"] === from) {
    const options = Array.isArray(variant["map"]) ? variant["map"] : [];
    const isOption = options.some((option) => isRefTo(option, key, document));
    const isInUse = options.some((option) => declares(option, from, document));
    if (isOption && !isInUse) variant["discriminant"] = to;
  }
  const { properties, additionalProperties, items } = value;
  for (const child of [
    ...Object.values(isObject(properties) ? properties : {}),
    additionalProperties,
    ...[items].flat(),
  ])
    renameDiscriminants(child, key, document, { from, to });
}

function isRefTo(value: unknown, key: string, document: RawDocument): boolean {
  return keyOf(value, document) === key;
}

/** Returns true if the target schema of a reference has the given property. */
function declares(
  value: unknown,
  property: string,
  document: RawDocument,
): boolean {
  const key = keyOf(value, document);
  const schema: unknown = key === undefined ? {} : document.schemas?.[key];
  const properties = isObject(schema) ? schema["properties"] : undefined;
  return isObject(properties) && Object.hasOwn(properties, property);
}

function keyOf(
  value: unknown,
  { schemas = {} }: RawDocument,
): string | undefined {
  const ref = isObject(value) ? value["$ref"] : undefined;
  return typeof ref === "string" ? schemaOfRef(ref, schemas) : undefined;
}

/** Replaces a name in a list; ignores other values. */
export function replaceName(names: unknown, from: string, to: string): void {
  if (!Array.isArray(names)) return;
  for (const [at, name] of names.entries()) if (name === from) names[at] = to;
}

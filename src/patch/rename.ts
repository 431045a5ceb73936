import { isObject } from "../diagnostics/json.js";
import type { RawDocument, RawMethod, RawSchema } from "../load/raw.js";
import { rawMethods } from "../model/raw-methods.js";
import { schemaOfRef, visitDocumentRefs } from "../load/raw-refs.js";
import { ownerAt, renameMember, setMember, valueAt } from "./edit-json.js";
import type { Target } from "./address.js";

type Json = Record<string, unknown>;

/**
 * Renames the value that an address refers to, and changes all references to
 * it. The new name must not be in use.
 */
export function renameTarget(
  document: RawDocument,
  { tokens, kind }: Target,
  to: string,
): void {
  const from = tokens.at(-1)!;
  const owner = ownerAt(document, tokens) as Json;
  const value = owner[from];
  renameMember(owner, from, to);
  const parent = valueAt(document, tokens.slice(0, -2));
  if (kind === "schema") renameSchema(document, value, from, to);
  else if (kind === "method") renameMethod(document, value, from, to);
  else if (kind === "parameter" && isObject(parent))
    renameParameter(parent, from, to);
  else if (kind === "property" && isObject(parent))
    renameProperty(document, parent, tokens.slice(0, -2), { from, to });
}

function renameSchema(
  document: RawDocument,
  schema: unknown,
  from: string,
  to: string,
): void {
  if (isObject(schema) && schema["id"] === from) schema["id"] = to;
  const forms = new Map(
    ["", "#", "#/schemas/"].map((prefix) => [prefix + from, prefix + to]),
  );
  visitDocumentRefs(document, (owner, key) => {
    const renamed = forms.get(owner[key] as string);
    if (renamed !== undefined) setMember(owner, key, renamed);
  });
}

/**
 * Replaces the last segment of a method's id if it equals the old name. Also
 * replaces the id in the schemas that refer to the method.
 */
function renameMethod(
  document: RawDocument,
  method: unknown,
  from: string,
  to: string,
): void {
  if (!isObject(method) || typeof method["id"] !== "string") return;
  const { id } = method;
  if (!id.endsWith(`.${from}`)) return;
  const renamed = `${id.slice(0, -from.length)}${to}`;
  method["id"] = renamed;
  for (const schema of Object.values(document.schemas ?? {}))
    renameRequiring(schema, id, renamed);
}

/**
 * Replaces the id of a method in the lists `annotations.required` of a schema
 * and its nested schemas.
 */
function renameRequiring(value: unknown, id: string, renamed: string): void {
  if (!isObject(value)) return;
  const { annotations, properties, additionalProperties, items, ...rest } =
    value as RawSchema;
  replaceName(annotations?.required, id, renamed);
  for (const child of [
    ...Object.values(properties ?? {}),
    additionalProperties,
    ...[items, rest["x-one-of"]].flat(),
  ])
    renameRequiring(child, id, renamed);
}

/**
 * Replaces the name of a parameter in the paths, `parameterOrder` and
 * `x-paging` of its method.
 * @param owner method, or the document for common parameters
 */
function renameParameter(owner: Json, from: string, to: string): void {
  const { parameterOrder, mediaUpload } = owner as RawMethod;
  replaceName(parameterOrder, from, to);
  const protocols = Object.values(mediaUpload?.protocols ?? {});
  for (const templates of [owner, ...protocols])
    if (isObject(templates))
      for (const key of ["path", "flatPath"])
        if (typeof templates[key] === "string")
          templates[key] = renameVariable(templates[key], from, to);
  const paging = owner["x-paging"];
  if (!isObject(paging)) return;
  for (const key of ["page", "size", "token"])
    if (paging[key] === from) paging[key] = to;
}

/**
 * Replaces the name of a variable in a URI template (RFC 6570), such as
 * `{+name}`.
 */
function renameVariable(template: string, from: string, to: string): string {
  return template.replace(/\{([^{}]*)\}/g, (expression, inner: string) => {
    const operator = /^[+#./;?&]/.exec(inner)?.[0] ?? "";
    const names = inner.slice(operator.length).split(",");
    if (!names.some((name) => variableName(name) === from)) return expression;
    const renamed = names.map((name) =>
      variableName(name) === from ? to + name.slice(from.length) : name,
    );
    return `{${operator}${renamed.join(",")}}`;
  });
}

/** Removes the modifier after a variable's name: `*`, or `:` and a length. */
function variableName(text: string): string {
  return text.replace(/(?:\*|:\d+)$/, "");
}

/** Returns the ids of all methods. */
export function methodIds(document: RawDocument): string[] {
  return rawMethods(document).map(({ id }) => id);
}

/**
 * Changes the names that refer to a renamed property: `x-required`, the
 * discriminant of variants, and `x-paging` of methods that return the schema.
 * @param owner schema with the property
 * @param tokens path of the owner in the document
 */
function renameProperty(
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
  const { properties, additionalProperties, items, ...rest } = value;
  for (const child of [
    ...Object.values(isObject(properties) ? properties : {}),
    additionalProperties,
    ...[items, rest["x-one-of"]].flat(),
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
function replaceName(names: unknown, from: string, to: string): void {
  if (!Array.isArray(names)) return;
  for (const [at, name] of names.entries()) if (name === from) names[at] = to;
}

import type {
  RawDocument,
  RawExtensions,
  RawMethod,
  RawResource,
  RawSchema,
} from "./raw.js";
import { isObject } from "../diagnostics/json.js";

/**
 * Function that is called for each reference to a schema.
 * @param owner object that contains the reference
 * @param key key of the reference: `$ref`, or `response` in `x-operation`
 */
export type VisitRef = (owner: Record<string, unknown>, key: string) => void;

/** Visits all references to schemas in a document. */
export function visitDocumentRefs(
  document: RawDocument,
  visit: VisitRef,
): void {
  visitSharedRefs(document, visit);
  for (const schema of Object.values(document.schemas ?? {}))
    visitSchemaRefs(schema, visit);
  visitResourceRefs(document, visit);
}

/**
 * Visits the references to schemas in a document's common parameters and
 * extensions, which apply to all methods.
 */
export function visitSharedRefs(document: RawDocument, visit: VisitRef): void {
  visitSchemas(document.parameters, visit);
  visitExtensions(document, visit);
}

function visitResourceRefs(resource: RawResource, visit: VisitRef): void {
  for (const method of Object.values(resource.methods ?? {}))
    visitMethodRefs(method, visit);
  for (const child of Object.values(resource.resources ?? {}))
    visitResourceRefs(child, visit);
}

/** Visits the references to schemas in a method. */
export function visitMethodRefs(method: RawMethod, visit: VisitRef): void {
  visitSchemas(method.parameters, visit);
  visitSchemaRefs(method.request, visit);
  visitSchemaRefs(method.response, visit);
  visitExtensions(method, visit);
  visitKey(method["x-stream"], "$ref", visit);
  visitKey(method["x-operation"], "response", visit);
}

function visitExtensions(owner: RawExtensions, visit: VisitRef): void {
  visitSchemas(owner["x-headers"], visit);
  visitSchemas(owner["x-response-headers"], visit);
  const errors = owner["x-errors"];
  if (!isObject(errors)) return;
  for (const error of Object.values(errors)) visitKey(error, "$ref", visit);
}

function visitSchemas(schemas: unknown, visit: VisitRef): void {
  if (!isObject(schemas)) return;
  for (const schema of Object.values(schemas)) visitSchemaRefs(schema, visit);
}

/**
 * Visits the references from a schema to other schemas. Ignores a value that is
 * not an object.
 */
export function visitSchemaRefs(value: unknown, visit: VisitRef): void {
  if (!isObject(value)) return;
  const schema = value as RawSchema;
  visitKey(value, "$ref", visit);
  visitSchemas(schema.properties, visit);
  visitSchemaRefs(schema.additionalProperties, visit);
  for (const item of [schema.items].flat()) visitSchemaRefs(item, visit);
  for (const option of schema.variant?.map ?? [])
    visitKey(option, "$ref", visit);
  for (const option of [schema["x-one-of"]].flat())
    visitSchemaRefs(option, visit);
}

function visitKey(owner: unknown, key: string, visit: VisitRef): void {
  if (isObject(owner) && typeof owner[key] === "string") visit(owner, key);
}

/**
 * Returns the id of the schema to which a reference refers. References in old
 * documents start with `#` or `#/schemas/`.
 */
export function schemaOfRef(
  ref: string,
  schemas: Readonly<Record<string, unknown>>,
): string | undefined {
  const bare = ref.replace(/^#\/schemas\//, "").replace(/^#/, "");
  return [ref, bare].find((key) => Object.hasOwn(schemas, key));
}

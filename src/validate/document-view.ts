import type {
  RawDocument,
  RawMethod,
  RawResource,
  RawSchema,
} from "../load/raw.js";
import { child, type DocumentPath } from "../model/build/context.js";
import type { Api } from "../model/ir.js";

/** Method of the document, with its location. */
export interface MethodNode {
  /**
   * Field `id` of the method; if it is missing, the names of its resources and
   * the method, joined by dots.
   */
  readonly id: string;
  /** Names of the resources that contain the method. */
  readonly resources: readonly string[];
  readonly name: string;
  readonly raw: RawMethod;
  readonly at: DocumentPath;
}

/** Resource of the document, with its location. */
export interface ResourceNode {
  readonly path: readonly string[];
  readonly raw: RawResource;
  readonly at: DocumentPath;
}

/** Schema or parameter of the document, with its location. */
export interface SchemaNode {
  readonly kind: "schema" | "property" | "element" | "parameter" | "body";
  /** Key of the property or parameter, or id of a top-level schema. */
  readonly name: string;
  /** Name of the schema or parameter in messages, such as `File.owners[]`. */
  readonly label: string;
  /** Top-level schema or method that contains the schema or parameter. */
  readonly owner: string;
  /**
   * Method that declares the parameter or body; absent for common parameters.
   */
  readonly method?: MethodNode;
  readonly raw: RawSchema;
  readonly at: DocumentPath;
}

/**
 * Document, with lists of the methods, resources and schemas that validation
 * rules check.
 */
export interface DocumentView {
  readonly document: RawDocument;
  readonly api: Api;
  readonly resources: readonly ResourceNode[];
  readonly methods: readonly MethodNode[];
  /** Common parameters, and the parameters of each method. */
  readonly parameters: readonly SchemaNode[];
  /** All schemas, including nested schemas, parameters and inline bodies. */
  readonly schemas: readonly SchemaNode[];
}

/**
 * Collects the methods, resources and schemas of a document that validation
 * rules check.
 */
export function viewDocument(document: RawDocument, api: Api): DocumentView {
  const resources: ResourceNode[] = [];
  const methods: MethodNode[] = [];
  collectResource(document, [], undefined, resources, methods);
  const parameters = [
    ...parametersOf(document.parameters, document.name ?? "", undefined),
    ...methods.flatMap((method) =>
      parametersOf(method.raw.parameters, method.id, method),
    ),
  ];
  const schemas: SchemaNode[] = [];
  for (const [name, raw] of Object.entries(document.schemas ?? {}))
    collectSchema(schemas, {
      kind: "schema",
      name,
      label: name,
      owner: name,
      raw: raw as RawSchema,
      at: child(undefined, "schemas", name),
    });
  for (const parameter of parameters) collectSchema(schemas, parameter);
  for (const method of methods) collectBodies(schemas, method);
  return { document, api, resources, methods, parameters, schemas };
}

function collectResource(
  raw: RawResource,
  path: readonly string[],
  at: DocumentPath | undefined,
  resources: ResourceNode[],
  methods: MethodNode[],
): void {
  if (at !== undefined) resources.push({ path, raw, at });
  for (const [name, method] of Object.entries(raw.methods ?? {}))
    methods.push({
      id: method.id ?? [...path, name].join("."),
      resources: path,
      name,
      raw: method,
      at: child(at, "methods", name),
    });
  for (const [name, below] of Object.entries(raw.resources ?? {}))
    collectResource(
      below,
      [...path, name],
      child(at, "resources", name),
      resources,
      methods,
    );
}

function parametersOf(
  parameters: RawDocument["parameters"],
  owner: string,
  method: MethodNode | undefined,
): SchemaNode[] {
  return Object.entries(parameters ?? {}).map(([name, raw]) => ({
    kind: "parameter",
    name,
    label: `${owner}: ${name}`,
    owner,
    ...(method === undefined ? {} : { method }),
    raw,
    at: child(method?.at, "parameters", name),
  }));
}

function collectBodies(nodes: SchemaNode[], method: MethodNode): void {
  for (const name of ["request", "response"] as const) {
    const raw = method.raw[name];
    if (raw === undefined) continue;
    const { id: owner, at } = method;
    const label = `${owner}: ${name}`;
    collectSchema(nodes, {
      kind: "body",
      name,
      label,
      owner,
      method,
      raw,
      at: child(at, name),
    });
  }
}

/** Adds a schema and the schemas nested in it to a list. */
function collectSchema(nodes: SchemaNode[], node: SchemaNode): void {
  nodes.push(node);
  const { raw, at, label } = node;
  for (const [name, property] of Object.entries(raw.properties ?? {}))
    collectSchema(nodes, {
      ...node,
      kind: "property",
      name,
      label: `${label}.${name}`,
      raw: property,
      at: child(at, "properties", name),
    });
  const { items, additionalProperties: values } = raw;
  const lists = Array.isArray(items)
    ? (items as RawSchema[]).map((item, index) => [item, index] as const)
    : [];
  for (const [item, index] of lists)
    collectElement(nodes, node, item, child(at, "items", index), "[]");
  if (items !== undefined && !Array.isArray(items))
    collectElement(nodes, node, items as RawSchema, child(at, "items"), "[]");
  for (const [index, option] of (raw["x-one-of"] ?? []).entries())
    collectElement(
      nodes,
      node,
      option,
      child(at, "x-one-of", index),
      ` alternative ${index + 1}`,
    );
  if (typeof values === "object")
    collectElement(
      nodes,
      node,
      values,
      child(at, "additionalProperties"),
      "{}",
    );
}

function collectElement(
  nodes: SchemaNode[],
  node: SchemaNode,
  raw: RawSchema,
  at: DocumentPath,
  suffix: string,
): void {
  collectSchema(nodes, {
    ...node,
    kind: "element",
    label: `${node.label}${suffix}`,
    raw,
    at,
  });
}

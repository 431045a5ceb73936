import type { Node } from "../../support/exports.js";
import {
  methodsOf,
  type RawDocument,
  type RawMethod,
} from "../inventory/document.js";

interface Operation {
  readonly path: string;
  readonly verb: string;
  readonly node: Node;
  readonly common: readonly Node[];
}

/** Counts of what the comparison found. */
export interface Found {
  methods: number;
  uploads: number;
  parameters: number;
  variables: number;
}

const VERBS = new Set([
  "get",
  "put",
  "post",
  "delete",
  "patch",
  "options",
  "head",
]);

/**
 * Compares an exported OpenAPI document with the description, read from its JSON
 * only. Returns the differences.
 */
export function compareOpenapi(
  document: RawDocument,
  openapi: Node,
  found: Found,
): string[] {
  const operations = operationsOf(openapi);
  const calls = byMethod(operations.filter((each) => !isUpload(each)));
  const uploads = byMethod(operations.filter(isUpload));
  const methods = methodsOf(document);
  const faults = [...structureFaults(openapi), ...idFaults(operations)];
  let expected = 0;
  for (const { raw } of methods) {
    expected++;
    const call = calls.get(raw.id!);
    if (call === undefined) faults.push(`${raw.id}: no operation`);
    else faults.push(...methodFaults(raw, call, document, openapi, found));
    found.methods++;
    const upload = raw.mediaUpload?.protocols?.simple?.path;
    if (upload === undefined) continue;
    expected++;
    found.uploads++;
    if (uploads.get(raw.id!)?.path !== upload.replace(/\{\+?.*?\}/g, "{}"))
      if (!isSamePath(uploads.get(raw.id!), upload, raw, found))
        faults.push(`${raw.id}: no upload operation ${upload}`);
  }
  if (operations.length !== expected)
    faults.push(`${operations.length} operations for ${expected} requests`);
  return faults;
}

function operationsOf(openapi: Node): Operation[] {
  return Object.entries(openapi["paths"]!).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([verb]) => VERBS.has(verb))
      .map(([verb, node]) => ({
        path,
        verb,
        node,
        common: (item["parameters"] ?? []) as unknown as Node[],
      })),
  );
}

function byMethod(operations: readonly Operation[]): Map<string, Operation> {
  return new Map(
    operations.map((each) => [
      text(each.node["x-discovery-id"] ?? each.node["operationId"]),
      each,
    ]),
  );
}

function text(value: unknown): string {
  return value as string;
}

function listOf(value: unknown): readonly Node[] {
  return (value ?? []) as readonly Node[];
}

function isUpload({ node }: Operation): boolean {
  return listOf(node["parameters"]).some(
    ({ name, required }) =>
      text(name) === "uploadType" && (required as unknown) === true,
  );
}

/** Two paths that differ only in names are one path for OpenAPI. */
function structureFaults(openapi: Node): string[] {
  const forms = Object.keys(openapi["paths"]!).map((path) =>
    path.replace(/\{.*?\}/g, "{}"),
  );
  return forms
    .filter((form, index) => forms.indexOf(form) !== index)
    .map((form) => `identical paths ${form}`);
}

function idFaults(operations: readonly Operation[]): string[] {
  const ids = operations.map(({ node }) => text(node["operationId"]));
  return new Set(ids).size === ids.length ? [] : ["equal operationIds"];
}

function methodFaults(
  raw: RawMethod,
  operation: Operation,
  document: RawDocument,
  openapi: Node,
  found: Found,
): string[] {
  const { path, verb, node, common } = operation;
  const faults: string[] = [];
  const fault = (what: string): void => void faults.push(`${raw.id}: ${what}`);
  if (verb !== raw.httpMethod.toLowerCase()) fault(`verb ${verb}`);
  if (!isSamePath(operation, `/${document.servicePath}${raw.path}`, raw, found))
    fault(`path ${path}`);
  const parameters = listOf(node["parameters"]);
  const inPath = parameters
    .filter((each) => text(each["in"]) === "path")
    .map(({ name }) => text(name));
  const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map(
    ([, name]) => name!,
  );
  found.variables += variables.length;
  if (inPath.join() !== variables.join()) fault(`path parameters ${inPath}`);
  for (const [name, declared] of Object.entries(raw.parameters ?? {})) {
    if (raw.path.includes(`{${name}}`) || raw.path.includes(`{+${name}}`)) {
      if (!coversVariable(name, node, parameters)) fault(`variable ${name}`);
      continue;
    }
    found.parameters++;
    const query = parameters.filter(
      (each) => text(each["name"]) === name && text(each["in"]) === "query",
    );
    if (query.length !== 1) fault(`${query.length} parameters ${name}`);
    const isList = text(query[0]?.["schema"]?.["type"]) === "array";
    if (isList !== (declared.repeated === true)) fault(`repeated ${name}`);
  }
  // Parameters of the path and of the operation: no name occurs twice.
  const names = [...common, ...parameters]
    .map((each) =>
      "$ref" in each ? resolve(openapi, text(each["$ref"]))! : each,
    )
    .map(({ in: location, name }) => `${text(location)} ${text(name)}`);
  for (const name of Object.keys(document.parameters ?? {}))
    if (!names.includes(`query ${name}`)) fault(`no common parameter ${name}`);
  for (const name of names.filter((each, at) => names.indexOf(each) !== at))
    fault(`${name} is declared twice`);
  if (raw.request !== undefined && node["requestBody"] === undefined)
    fault("no request body");
  const content = node["responses"]!["200"]?.["content"];
  if (
    (raw.response !== undefined || raw.supportsMediaDownload === true) !==
    (content !== undefined)
  )
    fault("content of the response");
  return faults;
}

/** A variable of the document is a parameter of the path, or composed of several. */
function coversVariable(
  name: string,
  node: Node,
  parameters: readonly Node[],
): boolean {
  if (node["x-discovery-path-parameters"]?.[name] !== undefined) return true;
  return parameters.some(
    (each) =>
      text(each["in"]) === "path" &&
      text(each["x-discovery-name"] ?? each["name"]) === name,
  );
}

/** Expands the template of the document with those of composed values. */
function isSamePath(
  operation: Operation | undefined,
  template: string,
  { id }: RawMethod,
  _found: Found,
): boolean {
  if (operation === undefined || id === undefined) return false;
  const { node, path } = operation;
  const composed = node["x-discovery-path-parameters"] ?? {};
  const names = new Map(
    listOf(node["parameters"]).map((each) => [
      text(each["x-discovery-name"] ?? each["name"]),
      text(each["name"]),
    ]),
  );
  const expanded = template.replace(/\{\+?([^{}]+)\}/g, (_, name: string) =>
    composed[name] === undefined
      ? `{${names.get(name)}}`
      : text(composed[name]!["template"]),
  );
  return expanded === path;
}

/** Returns the value at a local reference. */
export function resolve(root: Node, $ref: string): Node | undefined {
  if (!$ref.startsWith("#/")) return undefined;
  let value: Node | undefined = root;
  for (const token of $ref.slice(2).split("/"))
    value = value?.[token.replaceAll("~1", "/").replaceAll("~0", "~")];
  return value;
}

/** Returns references of a document that have no target. */
export function danglingReferences(root: Node): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value))
      if (key === "$ref" && typeof member === "string") {
        if (resolve(root, member) === undefined) found.push(member);
      } else visit(member);
  };
  visit(root);
  return found;
}

import { Document, visit } from "yaml";
import { hasInvisible, visibleLines } from "../../diagnostics/invisible.js";
import type { Api, Resource } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import type { OutputFile } from "../../platform/output-file.js";
import { namedSchemas } from "../json-schema/definitions.js";
import {
  type Json,
  jsonMembers,
  type JsonObject,
  jsonObject,
  jsonText,
  unlessEmpty,
} from "../json-schema/json.js";
import { apiFolder, pathSegment } from "../shared/api-folder.js";
import type { DataInput } from "../target.js";
import { openapiContext, type OpenapiContext } from "./context.js";
import { ERROR_SCHEMA, errorComponents } from "./errors.js";
import { OperationPrinter, serversOf, tagOf } from "./operations.js";
import { commonParameters, commonReferences } from "./parameters.js";
import {
  groupPaths,
  type NamedRequest,
  type PathGroup,
} from "./path-groups.js";
import { securitySchemes } from "./security.js";

/**
 * Prints the OpenAPI document of an API as JSON or YAML, in one or several
 * files.
 */
export function printOpenapi(input: DataInput): OutputFile[] {
  const { api, options } = input;
  const isYaml = options.openapiFormat === "yaml";
  const suffix = isYaml ? ".yaml" : ".json";
  const document = openapiDocument(openapiContext(input));
  const files =
    options.openapiSplit === true
      ? splitDocument(document, suffix)
      : [{ path: `openapi${suffix}`, value: document }];
  return files.map(({ path, value }) => ({
    path: `${apiFolder(api)}/${path}`,
    text: isYaml ? yamlText(value) : jsonText(value),
  }));
}

/**
 * Prints JSON as YAML 1.2 that parsers of YAML 1.1 also read: strings such as
 * `yes` are quoted. Texts are not wrapped. Strings with invisible characters are
 * quoted, and these characters are escaped.
 */
export function yamlText(value: Json): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: "yaml-1.1",
  });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && hasInvisible(node.value))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return visibleLines(document.toString({ lineWidth: 0 }));
}

/** OpenAPI version of the output. */
const OPENAPI = "3.1.1";

/** Returns the OpenAPI document of an API. */
function openapiDocument(context: OpenapiContext): JsonObject {
  const { api } = context;
  const { documentationLink } = api;
  const hasLink = isWebUrl(documentationLink);
  return jsonObject({
    openapi: OPENAPI,
    info: infoOf(api, hasLink),
    externalDocs: hasLink ? { url: documentationLink! } : undefined,
    servers: serversOf(api),
    tags: tagsOf(api.root, api.name),
    paths: pathsOf(context),
    components: jsonObject({
      schemas: jsonMembers(allSchemas(context)),
      responses: errorComponents(context),
      parameters: unlessEmpty(commonParameters(context)),
      securitySchemes: unlessEmpty(securitySchemes(context)),
    }),
  });
}

function* allSchemas(
  context: OpenapiContext,
): Generator<readonly [string, JsonObject]> {
  yield* namedSchemas(context.api, context.schemas);
  yield [context.errorSchema, ERROR_SCHEMA];
}

function infoOf(api: Api, hasLink: boolean): JsonObject {
  const { name, version, title, description, canonicalName } = api;
  const list = (values: readonly string[]): Json | undefined =>
    values.length === 0 ? undefined : [...values];
  return jsonObject({
    title: title ?? name,
    version,
    description,
    "x-discovery-name": name,
    "x-discovery-canonical-name": canonicalName,
    "x-discovery-documentation-link": hasLink
      ? undefined
      : api.documentationLink,
    "x-discovery-service-path":
      api.servicePath === "" ? undefined : api.servicePath,
    "x-discovery-batch-path": api.batchPath,
    "x-discovery-encode-reserved": api.encodeReserved || undefined,
    "x-discovery-features": list(api.features),
    "x-discovery-labels": list(api.labels),
  });
}

function isWebUrl(url: string | undefined): boolean {
  return (
    url !== undefined &&
    URL.canParse(url) &&
    /^https?:$/.test(new URL(url).protocol)
  );
}

/** Returns a tag for each resource that has methods. */
function tagsOf(resource: Resource, name: string): JsonObject[] {
  const { methods, path, children, deprecated } = resource;
  const tag = jsonObject({
    name: tagOf(path, name),
    "x-discovery-deprecated": deprecated,
  });
  const below = children.flatMap((child) => tagsOf(child, name));
  const all = methods.length > 0 ? [tag, ...below] : below;
  // The tag for methods outside of resources has the name of the API. If a
  // resource has the same name, the list contains this tag twice, so duplicates
  // are removed.
  const names = all.map((each) => each["name"]);
  return all.filter((each, index) => names.indexOf(each["name"]) === index);
}

function pathsOf(context: OpenapiContext): JsonObject {
  const printer = new OperationPrinter(context);
  // Operation ids are assigned in the order of the methods in the document,
  // which can differ from the order of the paths.
  const groups = groupPaths(context.api);
  const printed = printRequests(groups, printer, context);
  const common = commonReferences(context);
  const items = function* (): Generator<readonly [string, JsonObject]> {
    for (const group of groups)
      yield [group.path, pathItem(group, printed, common, context)];
  };
  return jsonMembers(items());
}

type Printed = ReadonlyMap<NamedRequest, JsonObject>;

function printRequests(
  groups: readonly PathGroup[],
  printer: OperationPrinter,
  { api }: OpenapiContext,
): Printed {
  const order = new Map(
    methodsOf(api.root).map((method, index) => [method, index]),
  );
  const requests = groups
    .flatMap(({ operations, others }) => [...operations.values(), ...others])
    .sort((a, b) => rank(a, order) - rank(b, order));
  return new Map(requests.map((each) => [each, printer.print(each)]));
}

/** Returns the sort key of a request. Calls come before uploads. */
function rank(
  { method, kind }: NamedRequest,
  order: ReadonlyMap<NamedRequest["method"], number>,
): number {
  return order.get(method)! + (kind === "upload" ? order.size : 0);
}

function pathItem(
  { path, operations, others }: PathGroup,
  printed: Printed,
  common: ReadonlyMap<string, JsonObject>,
  { sink }: OpenapiContext,
): JsonObject {
  for (const { method } of others)
    sink.report(
      "export-path-shared",
      `${method.httpMethod} ${path} of ${method.id} is exported only in the extension x-discovery-operations`,
      method.pointer,
    );
  // Some generators, such as orval, declare a parameter of the path and a
  // parameter of the operation with the same name twice.
  const declared = new Set(
    [...operations.values(), ...others].flatMap((request) =>
      queryNames(printed.get(request)!),
    ),
  );
  const shared = [...common].filter(([name]) => !declared.has(name));
  const separate = [...common].filter(([name]) => declared.has(name));
  const operationOf = (request: NamedRequest): JsonObject =>
    withCommon(printed.get(request)!, separate);
  return jsonObject({
    parameters: shared.length === 0 ? undefined : shared.map(([, ref]) => ref),
    ...jsonMembers(
      [...operations].map(([verb, request]) => [verb, operationOf(request)]),
    ),
    "x-discovery-operations":
      others.length === 0
        ? undefined
        : others.map((request) => ({
            method: request.method.httpMethod,
            ...operationOf(request),
          })),
  });
}

/** Returns the names of the query parameters that an operation declares. */
function queryNames({ parameters = [] }: JsonObject): string[] {
  return (parameters as readonly JsonObject[]).flatMap((parameter) =>
    parameter["in"] === "query" ? [parameter["name"] as string] : [],
  );
}

/**
 * Adds the common parameters that the operation does not declare itself.
 * @param common common parameters that are not parameters of the path
 */
function withCommon(
  operation: JsonObject,
  common: readonly (readonly [name: string, reference: JsonObject])[],
): JsonObject {
  const names = new Set(queryNames(operation));
  const added = common.filter(([name]) => !names.has(name));
  if (added.length === 0) return operation;
  const { parameters: declared = [] } = operation;
  const references = added.map(([, reference]) => reference);
  const parameters = [...(declared as readonly JsonObject[]), ...references];
  return { ...operation, parameters };
}

/** File of a split document. The path is relative to the folder of the API. */
interface DocumentFile {
  readonly path: string;
  readonly value: JsonObject;
}

const SCHEMA = "#/components/schemas/";

/**
 * Moves each path and each schema of an OpenAPI document to a separate file,
 * and adjusts the references.
 * @param suffix file extension of all files
 */
function splitDocument(document: JsonObject, suffix: string): DocumentFile[] {
  const main = `openapi${suffix}`;
  const { schemas, ...components } = document["components"] as JsonObject;
  const schemaFiles = filesOf(schemas as JsonObject, suffix);
  const pathFiles = filesOf(document["paths"] as JsonObject, suffix);
  const references = (folder: string): ((ref: string) => string) => {
    return (ref) => {
      const file = ref.startsWith(SCHEMA)
        ? schemaFiles.get(ref.slice(SCHEMA.length))
        : undefined;
      if (file === undefined)
        return folder === "" ? ref : `../../${main}${ref}`;
      return folder === "schemas"
        ? file
        : `${folder === "" ? "openapi" : ".."}/schemas/${file}`;
    };
  };
  const pointers = (files: ReadonlyMap<string, string>, folder: string) =>
    jsonMembers(
      [...files].map(([name, file]) => [
        name,
        { $ref: `openapi/${folder}/${file}` },
      ]),
    );
  const parts = (
    members: Json,
    files: ReadonlyMap<string, string>,
    folder: string,
  ): DocumentFile[] =>
    Object.entries(members as JsonObject).map(([name, value]) => ({
      path: `openapi/${folder}/${files.get(name)!}`,
      value: withReferences(value, references(folder)) as JsonObject,
    }));
  return [
    {
      path: main,
      value: {
        ...document,
        paths: pointers(pathFiles, "paths"),
        components: {
          schemas: pointers(schemaFiles, "schemas"),
          ...(withReferences(components, references("")) as JsonObject),
        },
      },
    },
    ...parts(document["paths"]!, pathFiles, "paths"),
    ...parts(schemas!, schemaFiles, "schemas"),
  ];
}

/**
 * Assigns a file name to each member. The names are unique even on file systems
 * that ignore case.
 */
function filesOf(
  members: JsonObject,
  suffix: string,
): ReadonlyMap<string, string> {
  const scope = new NameScope([], true);
  return new Map(
    Object.keys(members).map((name) => {
      const words = name.replace(/[{}]/g, "").replace(/^\/+/, "");
      return [name, `${scope.reserve(pathSegment(words))}${suffix}`];
    }),
  );
}

/**
 * Schema keywords whose value is an object with keys chosen by the author of
 * the document.
 */
const NAMES: ReadonlySet<string> = new Set(["properties"]);

/**
 * Returns a copy of a part of a document in which each reference is replaced
 * with the result of `change`.
 */
function withReferences(
  value: Json,
  change: (ref: string) => string,
  key = "",
): Json {
  if (Array.isArray(value))
    return value.map((item: Json) => withReferences(item, change));
  if (typeof value !== "object" || value === null) return value;
  return jsonMembers(
    Object.entries(value as JsonObject).map(([name, member]) => {
      const isReference =
        (name === "$ref" && !NAMES.has(key)) || key === "mapping";
      return [
        name,
        isReference && typeof member === "string"
          ? change(member)
          : withReferences(member, change, NAMES.has(key) ? "" : name),
      ];
    }),
  );
}

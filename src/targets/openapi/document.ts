import { methodsOf } from "../../model/queries.js";
import type { Api, Resource } from "../../model/ir.js";
import { namedSchemas } from "../json-schema/definitions.js";
import {
  jsonMembers,
  jsonObject,
  unlessEmpty,
  type Json,
  type JsonObject,
} from "../json-schema/json.js";
import type { OpenapiContext } from "./context.js";
import { ERROR_SCHEMA, errorComponents } from "./errors.js";
import { OperationPrinter, tagOf } from "./operations.js";
import { commonParameters, commonReferences } from "./parameters.js";
import {
  groupPaths,
  type NamedRequest,
  type PathGroup,
} from "./path-groups.js";
import { securitySchemes } from "./security.js";
import { serversOf } from "./servers.js";

/** OpenAPI version of the output. */
const OPENAPI = "3.1.1";

/** Returns the OpenAPI document of an API. */
export function openapiDocument(context: OpenapiContext): JsonObject {
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
  common: readonly JsonObject[],
  { sink }: OpenapiContext,
): JsonObject {
  for (const { method } of others)
    sink.report(
      "export-path-shared",
      `${method.httpMethod} ${path} of ${method.id} is exported only in the extension x-discovery-operations`,
      method.pointer,
    );
  return jsonObject({
    parameters: common.length === 0 ? undefined : common,
    ...jsonMembers(
      [...operations].map(([verb, request]) => [verb, printed.get(request)!]),
    ),
    "x-discovery-operations":
      others.length === 0
        ? undefined
        : others.map((request) => ({
            method: request.method.httpMethod,
            ...printed.get(request)!,
          })),
  });
}

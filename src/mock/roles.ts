import type { Definition, Method, Parameter, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { routesOf } from "../model/routes.js";

/** Standard method of a resource type (AIP-130); `replace` is PUT. */
export type StandardMethod =
  "get" | "list" | "create" | "replace" | "patch" | "delete";

/**
 * Type of the resources in a collection, inferred from the methods. All
 * resources of a type have the same schema.
 */
export interface ResourceType {
  /**
   * Path of the collection, or of the singleton resource, with `*` for variable
   * segments.
   */
  readonly pattern: string;
  /** Id of the schema of the resources. */
  readonly schemaId: string;
  readonly isSingleton: boolean;
  /** Last variable in the path of a resource; undefined for a singleton. */
  readonly variable: string | undefined;
  /**
   * Path before the variable, if the value of the variable is a full resource
   * name (`projects/p/topics/t`).
   */
  readonly prefix: string | undefined;
  /** Parameter that contains the value of the variable. */
  readonly parameter: Parameter | undefined;
}

/** Standard method that an API method implements, and its resource type. */
export interface MethodRole {
  readonly kind: StandardMethod;
  readonly resourceType: ResourceType;
}

type Definitions = ReadonlyMap<string, Definition>;

const ITEM_ROLES: Readonly<Record<string, StandardMethod>> = {
  GET: "get",
  PUT: "replace",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Infers resource types from paths. A path that ends with a variable addresses
 * a resource; the rest of the path is its collection, either as path segments
 * (`files/{fileId}`) or as part of a resource name (`{+parent}/topics`,
 * `{+name}`). The schema of the resource is the response of GET. A path that
 * does not end with a variable is a singleton if GET and PUT or PATCH use the
 * same schema.
 */
export function rolesOf(
  methods: readonly Method[],
  definitions: Definitions,
): ReadonlyMap<Method, MethodRole> {
  const patterns = new Map(
    methods.map((method) => [method, patternOf(method)]),
  );
  const roles = new Map<Method, MethodRole>();
  for (const resourceType of resourceTypesOf(patterns, definitions)) {
    for (const [method, pattern] of patterns) {
      const kind = roleOf(method, pattern, resourceType, definitions);
      if (kind !== undefined && !roles.has(method))
        roles.set(method, { kind, resourceType });
    }
  }
  return roles;
}

/**
 * Returns the path of a method with `*` for variable segments; undefined if the
 * path ends with a custom verb.
 */
function patternOf(method: Method): string | undefined {
  if (method.tokens.some(({ kind }) => kind === "verb")) return undefined;
  const [route = ""] = routesOf(method);
  return route.replace(/\{[^{}=]*(?:=([^{}]*))?\}/g, (_, form?: string) =>
    form === undefined ? "*" : form,
  );
}

/**
 * Returns the path of the collection, with `*` for variable segments. Returns
 * undefined if the path of the method does not end with a variable.
 */
function collectionPatternOf(pattern: string | undefined): string | undefined {
  return pattern?.endsWith("/*") === true ? pattern.slice(0, -2) : undefined;
}

function resourceTypesOf(
  patterns: ReadonlyMap<Method, string | undefined>,
  definitions: Definitions,
): ResourceType[] {
  const resourceTypes = new Map<string, ResourceType>();
  for (const [method, pattern] of patterns) {
    if (method.httpMethod !== "GET" || pattern === undefined) continue;
    const schemaId = schemaIdOf(method, definitions);
    if (schemaId === undefined) continue;
    const collection = collectionPatternOf(pattern);
    const isSingleton = collection === undefined;
    if (isSingleton && !hasUpdateMethod(patterns, pattern, schemaId)) continue;
    const key = collection ?? pattern;
    if (resourceTypes.has(key)) continue;
    resourceTypes.set(key, {
      pattern: key,
      schemaId,
      isSingleton,
      ...(isSingleton ? NO_VARIABLE : lastVariableOf(method)),
    });
  }
  return [...resourceTypes.values()];
}

const NO_VARIABLE = {
  variable: undefined,
  prefix: undefined,
  parameter: undefined,
};

function lastVariableOf({
  tokens,
  parameters,
}: Method): Pick<ResourceType, "variable" | "prefix" | "parameter"> {
  const last = tokens.at(-1)!;
  if (!("name" in last)) return NO_VARIABLE;
  const { name } = last;
  const parameter = parameters.find((candidate) => candidate.name === name);
  const before = tokens.slice(0, -1);
  const isFullName =
    last.kind === "multi" &&
    last.pattern?.replaceAll("[^/]", "").includes("/") === true;
  const prefix = isFullName
    ? before.map((token) => ("text" in token ? token.text : "")).join("")
    : undefined;
  return { variable: name, prefix, parameter };
}

/**
 * Returns the schema id of a method's response; undefined unless the response
 * is a single object.
 */
function schemaIdOf(
  { response, paging, operation }: Method,
  definitions: Definitions,
): string | undefined {
  if (response?.kind !== "ref" || paging !== undefined) return undefined;
  if (operation !== undefined) return undefined;
  const body = definitions.get(response.id)?.body;
  return body?.kind === "object" && body.fields.length > 0
    ? response.id
    : undefined;
}

/**
 * Tests whether a path has a PUT or PATCH method whose request body has the
 * given schema.
 */
function hasUpdateMethod(
  patterns: ReadonlyMap<Method, string | undefined>,
  pattern: string,
  schemaId: string,
): boolean {
  return [...patterns].some(
    ([{ httpMethod, request }, other]) =>
      other === pattern &&
      /^(PUT|PATCH)$/.test(httpMethod) &&
      isReferenceTo(request, schemaId),
  );
}

function roleOf(
  method: Method,
  pattern: string | undefined,
  resourceType: ResourceType,
  definitions: Definitions,
): StandardMethod | undefined {
  const { httpMethod, request, response, rawRequest, rawResponse } = method;
  if (pattern === undefined || rawRequest === true || rawResponse === true)
    return undefined;
  const { schemaId, isSingleton } = resourceType;
  if (
    (isSingleton ? pattern : collectionPatternOf(pattern)) ===
    resourceType.pattern
  ) {
    const kind = ITEM_ROLES[httpMethod];
    if (kind === "get")
      return isReferenceTo(response, schemaId) ? kind : undefined;
    if (kind === "delete") return isSingleton ? undefined : kind;
    return isReferenceTo(request, schemaId) ? kind : undefined;
  }
  if (isSingleton || pattern !== resourceType.pattern) return undefined;
  if (httpMethod === "GET")
    return listFieldOf(method, schemaId, definitions) === undefined
      ? undefined
      : "list";
  const isCreate =
    isReferenceTo(request, schemaId) || isReferenceTo(response, schemaId);
  return httpMethod === "POST" && isCreate ? "create" : undefined;
}

function isReferenceTo(schema: Schema | undefined, schemaId: string): boolean {
  return schema?.kind === "ref" && schema.id === schemaId;
}

/**
 * Returns the name of the response field that contains a list of objects with
 * the given schema; an empty string if the response itself is the list.
 */
export function listFieldOf(
  { response }: Method,
  schemaId: string,
  definitions: Definitions,
): string | undefined {
  const resolved = response && withoutAlias(response, definitions);
  if (resolved?.kind === "list")
    return isReferenceTo(resolved.items, schemaId) ? "" : undefined;
  return objectFields(response, definitions).find(({ schema }) => {
    const list = withoutAlias(schema, definitions);
    return list.kind === "list" && isReferenceTo(list.items, schemaId);
  })?.name;
}

function withoutAlias(schema: Schema, definitions: Definitions): Schema {
  let resolved = schema;
  for (let steps = 0; resolved.kind === "ref" && steps < 20; steps++) {
    const body = definitions.get(resolved.id)?.body;
    if (body?.kind !== "alias") break;
    resolved = body.schema;
  }
  return resolved;
}

import type { Definition, Method, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { customRolesOf } from "./actions.js";
import {
  isReferenceTo,
  type ListShape,
  type MethodRole,
  patternOf,
  type ResourceType,
  type StandardMethod,
} from "./method-role.js";

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
  const types = resourceTypesOf(patterns, definitions);
  for (const resourceType of types) {
    for (const [method, pattern] of patterns) {
      if (roles.has(method)) continue;
      const role = roleOf(method, pattern, resourceType, definitions);
      if (role !== undefined) roles.set(method, { ...role, resourceType });
    }
  }
  const others = methods.filter((method) => !roles.has(method));
  for (const [method, role] of customRolesOf(others, types, definitions))
    roles.set(method, role);
  return roles;
}

/**
 * Returns the path of the collection, with `*` for variable segments. Returns
 * undefined if the path of the method does not end with a variable.
 */
function collectionPatternOf(pattern: string | undefined): string | undefined {
  return pattern !== undefined && /[^*]\/\*\*?$|\*\/\*$/.test(pattern)
    ? pattern.replace(/\/\*\*?$/, "")
    : undefined;
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
      hasContent: method.download !== undefined,
      isOperation: method.operation !== undefined,
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
  { response, paging }: Method,
  definitions: Definitions,
): string | undefined {
  if (response?.kind !== "ref" || paging !== undefined) return undefined;
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

/** Role without the resource type. */
type Role = Omit<MethodRole, "resourceType">;

function roleOf(
  method: Method,
  pattern: string | undefined,
  resourceType: ResourceType,
  definitions: Definitions,
): Role | undefined {
  if (pattern === undefined || method.rawResponse === true) return undefined;
  const { isSingleton } = resourceType;
  const itemPattern = isSingleton ? pattern : collectionPatternOf(pattern);
  if (itemPattern === resourceType.pattern)
    return itemRole(method, resourceType, definitions);
  return isSingleton || pattern !== resourceType.pattern
    ? undefined
    : collectionRole(method, resourceType, definitions);
}

/** Returns the role of a method whose path is that of a resource. */
function itemRole(
  method: Method,
  { schemaId, isSingleton, variable }: ResourceType,
  definitions: Definitions,
): Role | undefined {
  const { httpMethod, request, response, rawRequest } = method;
  if (isCreateWithToken(method, schemaId, variable)) return { kind: "create" };
  const kind = ITEM_ROLES[httpMethod];
  if (kind === undefined) return undefined;
  if (kind === "get")
    return isReferenceTo(response, schemaId) ? { kind } : undefined;
  if (kind === "delete") return isSingleton ? undefined : { kind };
  if (rawRequest === true) return undefined;
  const bodyField = fieldWith(request, schemaId, definitions);
  const isChange =
    isReferenceTo(request, schemaId) ||
    bodyField !== undefined ||
    (kind === "replace" && isReferenceTo(response, schemaId));
  return isChange ? { kind, bodyField } : undefined;
}

/**
 * Tests whether a method creates a resource although its path ends with a
 * variable: the variable is not the id, but identifies the request
 * (`drives/{requestId}`).
 */
function isCreateWithToken(
  { httpMethod, request, response, tokens }: Method,
  schemaId: string,
  variable: string | undefined,
): boolean {
  const last = tokens.at(-1);
  return (
    httpMethod === "POST" &&
    last !== undefined &&
    "name" in last &&
    /^request_?id$/i.test(last.name) &&
    last.name !== variable &&
    isReferenceTo(request, schemaId) &&
    isReferenceTo(response, schemaId)
  );
}

/** Returns the role of a method whose path is that of a collection. */
function collectionRole(
  method: Method,
  resourceType: ResourceType,
  definitions: Definitions,
): Role | undefined {
  const { httpMethod, request, response } = method;
  const { schemaId, variable } = resourceType;
  if (httpMethod === "GET") {
    const list = listShapeOf(method, resourceType, definitions);
    return list === undefined ? undefined : { kind: "list", list };
  }
  const bodyField = fieldWith(request, schemaId, definitions);
  const isRequest = isReferenceTo(request, schemaId) || bodyField !== undefined;
  if (httpMethod === "PUT" || httpMethod === "PATCH") {
    // The id is a query parameter, as in compute.autoscalers.patch.
    const hasId = method.parameters.some(({ name }) => name === variable);
    const kind = ITEM_ROLES[httpMethod]!;
    return isRequest && hasId ? { kind, bodyField } : undefined;
  }
  if (httpMethod !== "POST" || resourceType.isOperation) return undefined;
  const resultField = fieldWith(response, schemaId, definitions);
  const isCreate =
    isRequest ||
    isReferenceTo(response, schemaId) ||
    (resultField !== undefined && request === undefined);
  return isCreate ? { kind: "create", bodyField, resultField } : undefined;
}

/**
 * Returns the member of an object that is a resource, such as `instance` in
 * `CreateInstanceRequest`.
 */
function fieldWith(
  schema: Schema | undefined,
  schemaId: string,
  definitions: Definitions,
): string | undefined {
  if (isReferenceTo(schema, schemaId)) return undefined;
  return objectFields(schema, definitions).find((field) =>
    isReferenceTo(field.schema, schemaId),
  )?.name;
}

/**
 * Finds the list of resources in the response of a list method. Its elements
 * have the schema of the resources, any schema, or a schema of their own with
 * a part of the members.
 */
function listShapeOf(
  { response, paging }: Method,
  { schemaId, pattern }: ResourceType,
  definitions: Definitions,
): ListShape | undefined {
  const resolved = response && withoutAlias(response, definitions);
  if (resolved?.kind === "list")
    return isReferenceTo(resolved.items, schemaId) ? { field: "" } : undefined;
  const lists = objectFields(response, definitions).flatMap((field) => {
    const list = withoutAlias(field.schema, definitions);
    return list.kind === "list"
      ? [{ field: field.name, items: withoutAlias(list.items, definitions) }]
      : [];
  });
  const exact = lists.find(({ items }) => isReferenceTo(items, schemaId));
  if (exact !== undefined) return { field: exact.field };
  const name = pattern.split("/").at(-1)!;
  const isMain = ({ field }: { readonly field: string }): boolean =>
    field === "items" || field === name || field === paging?.items?.field;
  for (const { field, items } of lists.filter(isMain)) {
    if (items.kind === "any") return { field };
    if (items.kind === "ref" && isPartOf(items.id, schemaId, definitions))
      return { field, itemId: items.id };
  }
  return undefined;
}

/** Tests whether two object schemas have most members of the first in common. */
function isPartOf(
  partId: string,
  schemaId: string,
  definitions: Definitions,
): boolean {
  const fieldsOf = (id: string): readonly string[] =>
    objectFields({ kind: "ref", id }, definitions).map(({ name }) => name);
  const part = fieldsOf(partId);
  const complete = new Set(fieldsOf(schemaId));
  const common = part.filter((name) => complete.has(name));
  return part.length > 0 && common.length * 2 >= part.length;
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

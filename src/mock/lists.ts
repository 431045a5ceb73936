import type { Definition, Field, Method } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { ApiError } from "../runtime/server/error.js";
import { isJsonObject } from "./conform.js";
import { type Filter, parseFilter, valueAt } from "./filters.js";
import type { Params } from "./mock-context.js";
import type { JsonObject } from "./values.js";

/** Resources that a list request selects, in its order. */
interface Selection {
  readonly selected: readonly JsonObject[];
  /** Common prefixes of names up to a delimiter; undefined without delimiter. */
  readonly prefixes: readonly string[] | undefined;
}

/**
 * Selects the resources of a list by `prefix` and `delimiter`, by `filter`
 * (AIP-160) and `q`, and sorts them by `orderBy` (AIP-132).
 *
 * @throws ApiError 400 for an `orderBy` that is not a list of fields
 */
export function selectResources(
  resources: readonly JsonObject[],
  params: Params,
  method: Method,
  fields: ReadonlyMap<string, Field>,
): Selection {
  const filters = filtersOf(params, method, fields);
  const filtered = resources.filter((resource) =>
    filters.every((filter) => filter(resource)),
  );
  const sorted = sortedBy(filtered, params["orderBy"] ?? params["order_by"]);
  const { prefix, delimiter } = params;
  const start = typeof prefix === "string" ? prefix : "";
  const named = sorted.filter((resource) => nameOf(resource).startsWith(start));
  if (typeof delimiter !== "string" || delimiter === "")
    return { selected: start === "" ? sorted : named, prefixes: undefined };
  const prefixes = new Set<string>();
  const selected = named.filter((resource) => {
    const name = nameOf(resource);
    const end = name.indexOf(delimiter, start.length);
    if (end === -1) return true;
    prefixes.add(name.slice(0, end + delimiter.length));
    return false;
  });
  return { selected, prefixes: [...prefixes].sort() };
}

function nameOf(resource: JsonObject): string {
  return String(resource["name"] ?? resource["id"] ?? "");
}

/**
 * Returns the filters of the parameters `filter` (AIP-160) and `q`. Those in other
 * languages, such as search terms, select everything.
 */
function filtersOf(
  params: Params,
  { parameters }: Method,
  fields: ReadonlyMap<string, Field>,
): Filter[] {
  const isField = (name: string): boolean => fields.has(name);
  const languages = { filter: "filter", q: "query" } as const;
  return Object.entries(languages).flatMap(([name, language]) => {
    const text = params[name];
    const isDeclared = parameters.some((parameter) => parameter.name === name);
    const filter =
      typeof text === "string" && isDeclared
        ? parseFilter(text, language, isField)
        : undefined;
    return filter ?? [];
  });
}

/**
 * Names of parameters that do not select resources, although resources can have a
 * member of this name.
 */
const NO_SELECTION =
  /^(filter|q|prefix|delimiter|order_?by|page_?token|time_?zone|language(_?code)?|hl|locale|region_?code|view|projection|fields|alt|key)$/i;

/**
 * Tests whether a resource has the values of query parameters with the names of its
 * members, such as `parent`, `labelIds`, `id`; those ending in `Id` can be members
 * of an object in the resource. Required parameters name the parent. A list must contain all values; several values of
 * another member are alternatives.
 */
export function hasParameters(
  resource: JsonObject,
  params: Params,
  { parameters }: Method,
  fields: ReadonlyMap<string, Field>,
): boolean {
  return parameters.every((parameter) => {
    const { name, location, schema, constraints, flags } = parameter;
    const param = params[name];
    const isText = schema.kind === "scalar" && schema.type === "string";
    const canSelect =
      location === "query" &&
      (isText || schema.kind === "list") &&
      !NO_SELECTION.test(name) &&
      constraints.default === undefined &&
      flags.required === undefined &&
      param !== undefined &&
      param !== "";
    if (!canSelect) return true;
    const wanted = [param].flat().flatMap((text) => String(text).split(","));
    const kind = fields.get(name)?.schema.kind;
    if (kind === "list") {
      const elements = resource[name];
      return (
        Array.isArray(elements) &&
        wanted.every((text) => elements.map(String).includes(text))
      );
    }
    if (kind === "scalar" || kind === "enum")
      return wanted.includes(String(resource[name] ?? ""));
    const inner = Object.values(resource)
      .filter(isJsonObject)
      .map((object) => object[name])
      .find((value) => typeof value === "string");
    return (
      !/[a-z]Id$/.test(name) || inner === undefined || wanted.includes(inner)
    );
  });
}

function sortedBy(
  resources: readonly JsonObject[],
  orderBy: unknown,
): readonly JsonObject[] {
  if (typeof orderBy !== "string" || orderBy.trim() === "") return resources;
  const keys = orderBy.split(",").map((part) => {
    const key = /^([\w.]+)(?: +(asc|desc))?$/i.exec(part.trim());
    if (key === null)
      throw new ApiError(
        400,
        `orderBy must be a list of fields such as "name, createTime desc", not ${JSON.stringify(orderBy.slice(0, 100))}`,
      );
    const isDescending = key[2]?.toLowerCase() === "desc";
    return { path: key[1]!.split("."), sign: isDescending ? -1 : 1 };
  });
  return [...resources].sort((one, other) => {
    for (const { path, sign } of keys) {
      const order = orderOf(valueAt(one, path), valueAt(other, path));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

function orderOf(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [first, second] = [String(one ?? ""), String(other ?? "")];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Names of objects that count the elements of a list. */
const PAGE_INFO = /^page_?info$/i;

/**
 * Removes generated lists and objects from the response of a list, because they
 * describe resources that do not exist. Common prefixes become the member
 * `prefixes`.
 */
export function withoutOtherLists(
  response: JsonObject,
  { response: schema }: Method,
  definitions: ReadonlyMap<string, Definition>,
  prefixes: readonly string[] | undefined,
): JsonObject {
  const fields = objectFields(schema, definitions);
  const kept = fields.filter(
    ({ name, schema: { kind }, flags }) =>
      kind === "scalar" ||
      kind === "enum" ||
      PAGE_INFO.test(name) ||
      flags.required !== undefined ||
      flags.present !== undefined,
  );
  const names = new Set(kept.map(({ name }) => name));
  const hasPrefixes = fields.some(({ name }) => name === "prefixes");
  return {
    ...Object.fromEntries(
      Object.entries(response).filter(([name]) => names.has(name)),
    ),
    ...(hasPrefixes && prefixes !== undefined ? { prefixes } : {}),
  };
}

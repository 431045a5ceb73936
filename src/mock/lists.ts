// This file is longer than 250 lines, because it contains the parameters that
// select and sort the resources of a list.

import type { Definition, Method } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { ApiError } from "../runtime/server/error.js";
import { isJsonObject } from "./conform.js";
import type { Params } from "./mock-context.js";
import type { JsonObject } from "./values.js";

/** Resources that a list request selects, in its order. */
interface Selection {
  readonly selected: readonly JsonObject[];
  /** Common prefixes of names up to a delimiter; undefined without delimiter. */
  readonly prefixes: readonly string[] | undefined;
}

/**
 * Selects the resources of a list by `prefix` and `delimiter`, by a `filter`
 * (AIP-160) of comparisons that are joined by AND, and sorts them by `orderBy`
 * (AIP-132).
 *
 * @throws ApiError 400 for an `orderBy` that is not a list of fields
 */
export function selectResources(
  resources: readonly JsonObject[],
  params: Params,
  method: Method,
): Selection {
  const comparisons = comparisonsOf(params["filter"], method);
  const filtered = resources.filter((resource) =>
    comparisons.every((comparison) => isMatch(resource, comparison)),
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

/** Comparison of a field with a value. */
interface Comparison {
  readonly path: readonly string[];
  readonly operator: string;
  readonly value: string;
}

/** Maximum length of a filter that is evaluated. */
const MAX_FILTER = 2000;

/**
 * Parses a filter such as `state = "ACTIVE" AND labels.env=prod`. Returns an
 * empty list for filters in other languages, so that they select everything.
 */
function comparisonsOf(filter: unknown, method: Method): Comparison[] {
  if (typeof filter !== "string" || filter.length > MAX_FILTER) return [];
  if (!method.parameters.some(({ name }) => name === "filter")) return [];
  const parts = filter
    .split(/ AND /i)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const comparisons = parts.map(parseComparison);
  return comparisons.includes(undefined) ? [] : (comparisons as Comparison[]);
}

function parseComparison(text: string): Comparison | undefined {
  const inner =
    text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text;
  const match = /^([\w.-]+) {0,9}(!=|>=|<=|=|:|>|<| eq | ne ) {0,9}(.*)$/s.exec(
    inner.trim(),
  );
  if (match === null) return undefined;
  const [, path = "", operator = "", raw = ""] = match;
  const quote = raw[0];
  const isQuoted =
    (quote === '"' || quote === "'") && raw.length > 1 && raw.endsWith(quote);
  const value = isQuoted ? raw.slice(1, -1) : raw;
  if (!isQuoted && /[\s()"'*|]/.test(value)) return undefined;
  return {
    path: path.split("."),
    operator: OPERATORS[operator] ?? operator,
    value,
  };
}

const OPERATORS: Readonly<Record<string, string>> = {
  " eq ": "=",
  " ne ": "!=",
};

function isMatch(
  resource: JsonObject,
  { path, operator, value }: Comparison,
): boolean {
  const found = valueAt(resource, path);
  if (operator === ":") return has(found, value);
  const order = compare(found, value);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order !== undefined && order > 0;
    case ">=":
      return order !== undefined && order >= 0;
    case "<":
      return order !== undefined && order < 0;
    default:
      return order !== undefined && order <= 0;
  }
}

/** The operator `:` tests members, elements, and parts of texts (AIP-160). */
function has(found: unknown, value: string): boolean {
  if (value === "*") return found !== undefined;
  if (Array.isArray(found)) return found.some((one) => String(one) === value);
  if (isJsonObject(found)) return Object.hasOwn(found, value);
  return String(found ?? "")
    .toLowerCase()
    .includes(value.toLowerCase());
}

function compare(found: unknown, value: string): number | undefined {
  if (found === undefined || found === null) return undefined;
  if (typeof found === "number") return Math.sign(found - Number(value));
  const text = String(found);
  return text < value ? -1 : text > value ? 1 : 0;
}

function valueAt(resource: JsonObject, path: readonly string[]): unknown {
  let value: unknown = resource;
  for (const name of path) {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    value = !isJsonObject(value)
      ? undefined
      : Object.hasOwn(value, name)
        ? value[name]
        : Object.hasOwn(value, camel)
          ? value[camel]
          : undefined;
  }
  return value;
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
    ({ schema: { kind }, flags }) =>
      kind === "scalar" ||
      kind === "enum" ||
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

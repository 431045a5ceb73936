import type { Definition, Method, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { ApiError } from "../runtime/server/error.js";
import { isJsonObject } from "./conform.js";
import type { Params } from "./mock-context.js";
import type { JsonObject } from "./values.js";

/** Number of elements in a page if the request does not specify a page size. */
const DEFAULT_PAGE_SIZE = 100;

const SIZE_PARAMETERS = [
  "pageSize",
  "maxResults",
  "limit",
  "per_page",
  "page_size",
  "max_results",
  "maxMessages",
];

/** Page of a list, and the token of the next page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/**
 * Returns the requested page. The request selects it by the token from an
 * earlier response, or by its number if the method has a `page` parameter.
 *
 * @throws ApiError 400 for a token that the mock did not issue
 */
export function pageOf<T>(
  elements: readonly T[],
  method: Method,
  params: Params,
  body: unknown,
): Page<T> {
  const values: Params = isJsonObject(body) ? { ...body, ...params } : params;
  const size = sizeOf(values);
  const start = startOf(method, values, size);
  const end = start + size;
  return {
    items: elements.slice(start, end),
    next: end < elements.length ? tokenOf(end) : undefined,
  };
}

function sizeOf(params: Params): number {
  const requested = SIZE_PARAMETERS.map((name) => Number(params[name])).find(
    (size) => Number.isInteger(size) && size > 0,
  );
  return Math.min(requested ?? DEFAULT_PAGE_SIZE, 1000);
}

function startOf(method: Method, params: Params, size: number): number {
  const { paging } = method;
  const token = paging === undefined ? undefined : params[paging.token];
  if (typeof token === "string" && token !== "") {
    const start = readToken(token);
    if (start !== undefined) return start;
    // If the token parameter is required, the first token comes from another
    // method, so an unknown token selects the first page.
    if (isRequired(method, paging!.token)) return 0;
    throw new ApiError(400, "The page token was not issued by this mock.");
  }
  const page = paging === undefined ? Number(params["page"]) : 1;
  return Number.isInteger(page) && page > 1 ? (page - 1) * size : 0;
}

function tokenOf(start: number): string {
  return Buffer.from(`mock:${start}`).toString("base64url");
}

function isRequired({ parameters }: Method, name: string): boolean {
  const token = parameters.find((parameter) => parameter.name === name);
  return token?.flags.required !== undefined;
}

function readToken(token: string): number | undefined {
  const text = Buffer.from(token, "base64url").toString("latin1");
  const start = Number(/^mock:(\d{1,9})$/.exec(text)?.[1] ?? NaN);
  return tokenOf(start) === token ? start : undefined;
}

/** Removes a generated page token, which the mock would reject. */
export function withoutPageToken(
  body: JsonObject,
  { paging }: Method,
): JsonObject {
  return paging === undefined
    ? body
    : Object.fromEntries(
        Object.entries(body).filter(([name]) => name !== paging.next),
      );
}

/** Replaces the list in a response with one page of its elements. */
export function withPage(
  body: JsonObject,
  field: string,
  { items, next }: Page<unknown>,
  total: number,
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
): JsonObject {
  const { response, paging } = method;
  const counts = countsOf(body, response, total, items.length, definitions);
  const more =
    paging !== undefined && next !== undefined ? { [paging.next]: next } : {};
  return {
    ...withoutPageToken(body, method),
    ...counts,
    [field]: items,
    ...more,
  };
}

/**
 * Returns the members with numbers of elements, and objects with such members, such
 * as `pageInfo`.
 */
function countsOf(
  body: JsonObject,
  schema: Schema | undefined,
  total: number,
  onPage: number,
  definitions: ReadonlyMap<string, Definition>,
  depth: number = 0,
): JsonObject {
  const counted: Record<string, unknown> = {};
  for (const { name, schema: type } of objectFields(schema, definitions)) {
    const inner = body[name];
    if (type.kind === "ref" && depth === 0 && isJsonObject(inner)) {
      const counts = countsOf(inner, type, total, onPage, definitions, 1);
      const isChanged = Object.keys(counts).length > 0;
      if (isChanged) counted[name] = { ...inner, ...counts };
      continue;
    }
    const count = TOTAL_FIELD.test(name)
      ? total
      : PAGE_FIELD.test(name)
        ? onPage
        : undefined;
    if (count === undefined || type.kind !== "scalar") continue;
    const isText = /^u?int64$/.test(type.format ?? "");
    if (isText) counted[name] = String(count);
    else if (type.type === "integer") counted[name] = count;
  }
  return counted;
}

const TOTAL_FIELD =
  /^(total_?(items|size|results|count|rows)|result_?size_?estimate)$/i;

const PAGE_FIELD = /^results_?per_?page$/i;

/**
 * Returns a response whose only list has as many elements as a request for a number
 * of elements allows, such as `maxMessages`; none if the mock starts empty.
 */
export function withLimit(
  response: JsonObject,
  params: Params,
  body: unknown,
  isEmpty: boolean,
): JsonObject {
  const values: Params = isJsonObject(body) ? { ...body, ...params } : params;
  const isLimited = SIZE_PARAMETERS.some((name) => values[name] !== undefined);
  const lists = Object.entries(response).filter(([, list]) =>
    Array.isArray(list),
  );
  if (!isLimited || lists.length !== 1) return response;
  const [name, list] = lists[0] as [string, unknown[]];
  const size = isEmpty ? 0 : sizeOf(values);
  return { ...response, [name]: list.slice(0, size) };
}

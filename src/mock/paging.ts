import type { Definition, Method, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { ApiError } from "../runtime/server/error.js";
import { isMembers } from "./conform.js";
import type { Params } from "./resources.js";
import type { Members } from "./values.js";

/** Elements of a page, where the caller does not say how many. */
const USUAL = 100;

const SIZES = [
  "pageSize",
  "maxResults",
  "limit",
  "per_page",
  "page_size",
  "max_results",
];

/** A part of a list, and how to ask for the next one. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/**
 * The page that a request asks for, by a token that an earlier answer gave, or
 * by its number where the method takes one.
 *
 * @throws ApiError 400 for a token that no answer gave
 */
export function pageOf<T>(
  all: readonly T[],
  method: Method,
  params: Params,
  body: unknown,
): Page<T> {
  const given: Params = isMembers(body) ? { ...body, ...params } : params;
  const size = sizeOf(given);
  const start = startOf(method, given, size);
  const end = start + size;
  return {
    items: all.slice(start, end),
    next: end < all.length ? tokenOf(end) : undefined,
  };
}

function sizeOf(params: Params): number {
  const asked = SIZES.map((name) => Number(params[name])).find(
    (size) => Number.isInteger(size) && size > 0,
  );
  return Math.min(asked ?? USUAL, 1000);
}

function startOf(method: Method, params: Params, size: number): number {
  const { paging } = method;
  const token = paging === undefined ? undefined : params[paging.token];
  if (typeof token === "string" && token !== "") {
    const start = readToken(token);
    if (start !== undefined) return start;
    // Where a token is required, the first one comes from another method.
    if (isRequired(method, paging!.token)) return 0;
    throw new ApiError(400, "The page token is none that the mock gave.");
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

/** The answer with a page in the place of its list. */
export function withPage(
  answer: Members,
  field: string,
  { items, next }: Page<unknown>,
  total: number,
  method: Method,
  definitions: ReadonlyMap<string, Definition>,
): Members {
  const { response, paging } = method;
  const counts = objectFields(response, definitions)
    .filter(({ name, schema }) => TOTAL.test(name) && isWhole(schema))
    .map(({ name }) => [name, total] as const);
  const more =
    paging !== undefined && next !== undefined ? { [paging.next]: next } : {};
  return { ...answer, ...Object.fromEntries(counts), [field]: items, ...more };
}

const TOTAL = /^(total_?(items|size|results|count)|result_?size_?estimate)$/i;

function isWhole(schema: Schema): boolean {
  return schema.kind === "scalar" && schema.type === "integer";
}

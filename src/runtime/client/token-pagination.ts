import type { Feature, Invocation, PendingCall } from "./contract.js";
import { ApiError } from "./error.js";
import { execute } from "./execute.js";

export type { ItemOf, PagedCall, PagesCall } from "./call-types.js";

/** Pagination of a method whose pages contain a token for the next page. */
export interface TokenPaginationRules {
  /**
   * Field of a page that contains its items, as an array or as a map. The items
   * of a map are `[key, value]` pairs. Default: no iteration over items.
   */
  readonly items?: string;
  /**
   * Query parameter or body field in which the page token is sent. Default:
   * `pageToken`.
   */
  readonly token?: string;
  /**
   * Response field that contains the token of the next page. Default:
   * `nextPageToken`.
   */
  readonly next?: string;
  /** Location of the token in the request. Default: `query`. */
  readonly in?: "query" | "body";
}

/**
 * Returns the `Feature` that adds `pages()` to calls. If `items` is set, the
 * feature also adds iteration over items.
 */
/* @__NO_SIDE_EFFECTS__ */
export function tokenPagination(rules: TokenPaginationRules): Feature {
  const { items } = rules;
  return (call, invocation) => {
    const pages = () => {
      call.taken = true;
      return eachPage(call, invocation, rules);
    };
    if (items === undefined) return { pages };
    return { pages, [Symbol.asyncIterator]: () => eachItem(pages(), items) };
  };
}

type Page = Readonly<Record<string, unknown>> | undefined;

async function* eachPage(
  call: PendingCall,
  invocation: Invocation,
  {
    token: name = "pageToken",
    next = "nextPageToken",
    in: position,
  }: TokenPaginationRules,
): AsyncGenerator<Page> {
  const { client, options, parameters: own } = invocation;
  const sets: readonly unknown[] = [
    client.options.parameters,
    options.query,
    own,
  ];
  const { fields } = Object.assign({}, ...sets) as { fields?: unknown };
  const mask = withField(fields, next);
  if (mask !== fields)
    invocation = { ...invocation, parameters: { ...own, fields: mask } };
  let page = (
    mask === fields ? await call : (await execute(invocation)).data
  ) as Page;
  for (;;) {
    yield page;
    const token = page?.[next];
    if (token == null || token === "") return;
    const { parameters } = invocation;
    const isBody = position === "body";
    const holder = Object(isBody ? parameters["requestBody"] : parameters);
    if (holder[name] === token)
      throw new ApiError("the server repeated the token of the current page", {
        kind: "decode",
        methodId: invocation.descriptor.id,
      });
    // Objects that the caller passed are not changed.
    const changed = { ...holder, [name]: token };
    invocation = {
      ...invocation,
      parameters: isBody ? { ...parameters, requestBody: changed } : changed,
    };
    page = (await execute<Page>(invocation)).data;
  }
}

/**
 * Adds a field to a field selector. Returns the value unchanged if it is not a
 * selector, or if it already selects the field.
 */
function withField(selector: unknown, field: string): unknown {
  if (typeof selector !== "string" || !selector.trim()) return selector;
  let depth = 0;
  const outer = selector.replace(/[()]|[^()]+/g, (part) => {
    if (part === "(") return depth++ ? "" : "/";
    if (part === ")") depth--;
    else if (!depth) return part;
    return "";
  });
  const names = outer.split(",").map((name) => name.trim());
  if (names.includes("*") || names.includes(field)) return selector;
  return `${selector},${field}`;
}

async function* eachItem(
  pages: AsyncIterable<Page>,
  items: string,
): AsyncGenerator<unknown> {
  for await (const page of pages) {
    const values = page?.[items] ?? [];
    yield* Array.isArray(values) ? values : Object.entries(values);
  }
}

import type { Call, Feature, Invocation, PendingCall, SHAPE } from "./call.js";
import { ApiError } from "./error.js";
import { execute } from "./execute.js";

/** A call for a page, from which all the pages can be had. */
export interface PagesCall<T> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; pages: unknown };
  /**
   * This page and those that follow, one request each, as they are asked for.
   * Ends at a page without a token; an empty page does not end it. So `fields`
   * has to select the token as well, where it is given.
   *
   * @throws ApiError of kind `decode` if the server gives a token twice running.
   */
  pages(): AsyncIterable<T>;
}

/**
 * A {@link PagesCall} that iterates over the items of all pages.
 *
 * @typeParam K the field of a page that holds them.
 */
export interface PagedCall<T, K>
  extends PagesCall<T>, AsyncIterable<ItemOf<T, K>> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; pages: K };
}

/** What a field of a page holds; `never` if the page lacks it. */
export type ItemOf<T, K> = K extends keyof T ? Held<NonNullable<T[K]>> : never;

type Held<V> = V extends readonly (infer I)[]
  ? I
  : V extends { readonly [key: string]: infer I }
    ? [string, I]
    : never;

/** How a method pages. */
export interface PagingRules {
  /**
   * The field of a page that holds its items: an array, or a map, whose items
   * are entries `[key, value]`. Absent: no iteration over items.
   */
  readonly items?: string;
  /** The parameter, or field of the body, for the token. Default: `pageToken`. */
  readonly token?: string;
  /** The field of a page with the token of the next. Default: `nextPageToken`. */
  readonly next?: string;
  /** Where the token goes. Default: `query`. */
  readonly in?: "query" | "body";
}

/** Gives a call `pages()` and, with `items`, iteration over items. */
/* @__NO_SIDE_EFFECTS__ */
export function paged(rules: PagingRules): Feature {
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
  rules: PagingRules,
): AsyncGenerator<Page> {
  const { next = "nextPageToken" } = rules;
  let page = (await call) as Page;
  for (;;) {
    yield page;
    const token = page?.[next];
    if (token == null || token === "") return;
    invocation = follow(invocation, rules, token);
    page = (await execute<Page>(invocation)).data;
  }
}

/** The call for the next page; the caller's objects stay as they are. */
function follow(
  call: Invocation,
  { token: name = "pageToken", in: place }: PagingRules,
  token: unknown,
): Invocation {
  const { parameters } = call;
  const holder = Object(
    place == "body" ? parameters["requestBody"] : parameters,
  );
  if (holder[name] === token)
    throw new ApiError("the server gave the same page token twice", {
      kind: "decode",
      methodId: call.descriptor.id,
    });
  const changed = { ...holder, [name]: token };
  return {
    ...call,
    parameters:
      place == "body" ? { ...parameters, requestBody: changed } : changed,
  };
}

async function* eachItem(
  pages: AsyncIterable<Page>,
  items: string,
): AsyncGenerator<unknown> {
  for await (const page of pages) {
    const held = page?.[items] ?? [];
    yield* Array.isArray(held) ? held : Object.entries(held);
  }
}

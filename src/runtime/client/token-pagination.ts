import type { Feature, Invocation, PendingCall } from "./contract.js";
import { ApiError } from "./error.js";
import { execute } from "./execute.js";

export type { ItemOf, PagedCall, PagesCall } from "./call-types.js";

/** How a method pages. */
export interface TokenPaginationRules {
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
  rules: TokenPaginationRules,
): AsyncGenerator<Page> {
  const { next = "nextPageToken" } = rules;
  let page = (await call) as Page;
  for (;;) {
    yield page;
    const token = page?.[next];
    if (token == null || token === "") return;
    invocation = nextInvocation(invocation, rules, token);
    page = (await execute<Page>(invocation)).data;
  }
}

/** The call for the next page; the caller's objects stay as they are. */
function nextInvocation(
  call: Invocation,
  { token: name = "pageToken", in: place }: TokenPaginationRules,
  token: unknown,
): Invocation {
  const { parameters } = call;
  const holder = Object(
    place === "body" ? parameters["requestBody"] : parameters,
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
      place === "body" ? { ...parameters, requestBody: changed } : changed,
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

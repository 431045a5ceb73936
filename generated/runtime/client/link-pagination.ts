/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  CallResult,
  Feature,
  Invocation,
  PendingCall,
} from "./contract.js";
import { ApiError } from "./error.js";
import { execute } from "./execute.js";

export type { ListCall } from "./call-types.js";

/**
 * Pagination of a method that returns arrays. Each array is a page, and a
 * response header contains links to the other pages.
 */
export interface LinkPaginationRules {
  /** Query parameter that contains the page number. Default: `page`. */
  readonly page?: string;
  /**
   * Response header that contains the URLs of other pages (RFC 8288). Default:
   * `link`.
   */
  readonly link?: string;
}

/**
 * Returns the `Feature` that adds `pages()`, and iteration over the elements of
 * all pages.
 */
/* @__NO_SIDE_EFFECTS__ */
export function linkPagination(rules: LinkPaginationRules = {}): Feature {
  return (call, invocation) => {
    const pages = () => {
      call.taken = true;
      return eachPage(call, invocation, rules);
    };
    return { pages, [Symbol.asyncIterator]: () => eachElement(pages()) };
  };
}

type Page = readonly unknown[] | undefined;

async function* eachPage(
  call: PendingCall,
  invocation: Invocation,
  rules: LinkPaginationRules,
): AsyncGenerator<Page> {
  let result = (await call.withResponse()) as CallResult<Page>;
  for (;;) {
    yield result.data;
    const next = nextInvocation(invocation, rules, result.response);
    if (!next) return;
    invocation = next;
    result = await execute<Page>(invocation);
  }
}

/**
 * Returns the call for the next page: the same call with the page number from
 * the response's link to the next page.
 *
 * @throws ApiError of kind `decode` for a link without a new page number.
 */
function nextInvocation(
  call: Invocation,
  { page = "page", link = "link" }: LinkPaginationRules,
  response: Response,
): Invocation | undefined {
  const next = nextUrl(response.headers.get(link) ?? "");
  if (next === undefined) return undefined;
  const query = new URLSearchParams(/\?([^#]*)/.exec(next)?.[1] ?? "");
  const number = query.get(page);
  const { parameters } = call;
  if (!number || number === String(parameters[page]))
    throw new ApiError(
      number
        ? "the link to the next page has the page number of the current page"
        : `the link to the next page has no query parameter ${page}`,
      { kind: "decode", methodId: call.descriptor.id },
    );
  return { ...call, parameters: { ...parameters, [page]: number } };
}

/** Returns the URL of the link with the relation type `next`. */
function nextUrl(header: string): string | undefined {
  const links = header.matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, url, rest = ""] of links) {
    const [, quoted, bare] =
      /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(rest) ?? [];
    const relations = (quoted ?? bare ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return url;
  }
  return undefined;
}

async function* eachElement(
  pages: AsyncIterable<Page>,
): AsyncGenerator<unknown> {
  for await (const page of pages) yield* Array.isArray(page) ? page : [];
}

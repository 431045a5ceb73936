import type {
  CallResult,
  Feature,
  Invocation,
  PendingCall,
} from "./contract.js";
import { ApiError } from "./error.js";
import { execute } from "./execute.js";

export type { ListCall } from "./call-types.js";

/** How a method counts and links its pages, which are arrays. */
export interface LinkPaginationRules {
  /** The query parameter that counts pages. Default: `page`. */
  readonly page?: string;
  /** The header with the URLs of other pages (RFC 8288). Default: `link`. */
  readonly link?: string;
}

/** Gives a call `pages()`, and iteration over the elements of all pages. */
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
  let answer = (await call.withResponse()) as CallResult<Page>;
  for (;;) {
    yield answer.data;
    const next = nextInvocation(invocation, rules, answer.response);
    if (!next) return;
    invocation = next;
    answer = await execute<Page>(invocation);
  }
}

/**
 * The call for the next page: the same one, with the number from the link.
 *
 * @throws ApiError of kind `decode` for a link that leads nowhere new.
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
        ? "the server linked to the same page"
        : `the link to the next page has no ${page}`,
      { kind: "decode", methodId: call.descriptor.id },
    );
  return { ...call, parameters: { ...parameters, [page]: number } };
}

/** The URL whose relation is `next`. */
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

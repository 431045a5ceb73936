/* eslint-disable */
// biome-ignore-all lint: generated

import type { PageRules } from "../contract.js";
import { decodeForm } from "../routing/percent.js";
import { urlOf, type ServerRequest } from "../request.js";
import type { PagePosition } from "../page.js";

/** Page numbers, keyed by link relation type. */
type Relations = Readonly<
  Partial<Record<"prev" | "next" | "last" | "first", number>>
>;

/**
 * Returns the links to other pages (RFC 8288); undefined if no other page
 * exists. The links are absolute URLs with the query parameters of the request;
 * only the page number is different.
 *
 * @param params decoded parameters, including default values.
 * @param first number of the first page.
 */
export function pageLinks(
  { page: name, size }: PageRules,
  position: PagePosition,
  params: Readonly<Record<string, unknown>>,
  first: number,
  request: ServerRequest,
): string | undefined {
  const number = Number(params[name] ?? first);
  const relations = relationsOf(number, first, Number(params[size]), position);
  const links = Object.entries(relations).map(
    ([relation, at]) => `<${pageUrl(request, name, at)}>; rel="${relation}"`,
  );
  return links.length === 0 ? undefined : links.join(", ");
}

function relationsOf(
  number: number,
  first: number,
  size: number,
  { total, hasMore }: PagePosition,
): Relations {
  const last =
    total === undefined || !(size > 0)
      ? undefined
      : first + Math.max(0, Math.ceil(total / size) - 1);
  const hasNext = hasMore ?? (last !== undefined && number < last);
  const isBehind = number > first;
  // If the requested page is beyond the end of the list, `prev` links to the
  // last page that has items.
  const before = Math.min(number - 1, last ?? Infinity);
  return {
    ...(isBehind ? { prev: before } : {}),
    ...(hasNext ? { next: number + 1 } : {}),
    ...(last !== undefined && number < last ? { last } : {}),
    ...(isBehind ? { first } : {}),
  };
}

/** Returns the URL of the request with a different page number. */
function pageUrl(request: ServerRequest, name: string, at: number): string {
  const [path = "/", query = ""] = request.target.split(/\?([^]*)/, 2);
  const others = query
    .split("&")
    .filter((pair) => pair !== "" && decodeForm(nameOf(pair)) !== name);
  const pairs = [...others, `${encodeURIComponent(name)}=${at}`].join("&");
  return urlOf(request, `${path}?${pairs}`);
}

function nameOf(pair: string): string {
  const equals = pair.indexOf("=");
  return equals === -1 ? pair : pair.slice(0, equals);
}

import { isBinding } from "./infer/field-flags.js";
import type { Method, Parameter } from "./ir.js";

/**
 * Response headers of a method, in two groups: headers that all methods have in
 * common, and headers that are specific to the method.
 */
export interface HeaderSplit {
  readonly common: readonly Parameter[];
  readonly specific: readonly Parameter[];
}

/**
 * Splits the headers of a method into common and specific headers. A header is
 * common if `shared` contains an identical header.
 */
export function splitHeaders(
  headers: readonly Parameter[],
  shared: readonly Parameter[],
): HeaderSplit {
  const keys = new Set(shared.map(keyOf));
  const isCommon = (header: Parameter): boolean => keys.has(keyOf(header));
  return {
    common: headers.filter(isCommon),
    specific: headers.filter((header) => !isCommon(header)),
  };
}

/**
 * Returns the response headers that the handler of a method sets. Excludes
 * `Location` and the header with page links, because the server itself sets
 * them.
 */
export function handlerHeaders({
  responseHeaders = [],
  links,
  redirects,
}: Method): Parameter[] {
  const written = new Set([
    links?.link.toLowerCase(),
    redirects === true ? "location" : undefined,
  ]);
  return responseHeaders.filter(({ name }) => !written.has(name.toLowerCase()));
}

/**
 * Returns the headers that the handlers of all methods set. Returns an empty
 * list if there are fewer than two methods.
 */
export function commonHandlerHeaders(methods: readonly Method[]): Parameter[] {
  const [first = [], ...others] = methods.map(handlerHeaders);
  if (others.length === 0) return [];
  const keys = others.map((headers) => new Set(headers.map(keyOf)));
  return first.filter((header) => keys.every((set) => set.has(keyOf(header))));
}

/** Returns the names of the required response headers in lower case. */
export function requiredHeaders(method: Method, trustProse: boolean): string[] {
  return handlerHeaders(method)
    .filter(({ flags }) => isBinding(flags.required, trustProse))
    .map(({ name }) => name.toLowerCase());
}

/**
 * Returns a key for a header. Headers with equal declarations have equal keys.
 */
function keyOf(header: Parameter): string {
  return JSON.stringify(header);
}

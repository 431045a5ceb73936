import type { Invocation } from "./contract.js";
import { encode, encodeSegments, toList, toText } from "./escape.js";
import { ownValue } from "./own-value.js";
import type { Lookup, Service } from "./service.js";

/**
 * Returns the URL of a call without its query, and the query including `?`. The
 * two parts are separate because the query can contain secrets. Parameters that
 * are not variables of the path become query parameters, in the order in which
 * the caller passed them.
 *
 * @throws TypeError for a path parameter that is missing or invalid.
 * @throws URIError for a lone surrogate.
 */
export function buildUrl({
  client: { service, options },
  descriptor: { path, names = {}, expand = expandPath },
  parameters,
  options: { query: added },
}: Invocation): [url: string, query: string] {
  const { parameters: common } = options;
  const values: Readonly<Record<string, unknown>> =
    common || added ? { ...common, ...added, ...parameters } : parameters;
  const used = ["requestBody", "media"];
  const lookup = (name: string) => {
    used.push(name);
    return ownValue(values, name);
  };
  const root = options.rootUrl ?? service.rootUrl;
  const full = path[0] === "/" ? path : `/${service.servicePath}${path}`;
  // At most 9 slashes are removed, because a regular expression for any number
  // of slashes would take quadratic time.
  const url = root.replace(/\/{1,9}$/, "") + expand(full, lookup, service);
  let query = "";
  const add = (name: string, value: unknown) => {
    for (const item of toList(value))
      if (item != null)
        query += `${query ? "&" : "?"}${encode(name)}=${encode(toText(item))}`;
  };
  for (const key of Object.keys(values))
    if (!used.includes(key)) add(ownValue(names, key) ?? key, values[key]);
  // The API key is not in `values`, because a path can have a variable named
  // `key`.
  if (used.includes("key") || values["key"] == null)
    add("key", options.apiKey || null);
  return [url, query];
}

/**
 * Expands the expressions `{name}` and `{+name}` in a path. Most paths contain
 * only these expressions.
 *
 * @throws TypeError for a value that is missing or that would change the path,
 *   such as `..`.
 */
export function expandPath(
  path: string,
  lookup: Lookup,
  { keepReserved = encodeSegments }: Service,
): string {
  return path.replace(/\{(\+?)([^{}]+)\}/g, (_, plus: string, name: string) => {
    const text = toText(lookup(name) ?? "");
    const value = (plus ? keepReserved : encode)(text);
    if (!value || dotSegment.test(value))
      throw new TypeError(
        `path parameter ${name} must not be empty or have a "." or ".." segment`,
      );
    return value;
  });
}

/**
 * Matches path segments that a URL parser would resolve: `.` and `..`,
 * including percent-encoded dots.
 */
export const dotSegment: RegExp = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

/* eslint-disable */
// biome-ignore-all lint: generated

import { isApiKey } from "./auth.js";
import type { Invocation, Lookup, Service } from "./contract.js";
import type { ErrorContext } from "./error.js";
import { mergeHeaders } from "./headers.js";
import type { ApiRequest } from "./request.js";
import { encode, ownValue, toList, toText } from "./values.js";

/**
 * Builds the HTTP request of a call. Parameters that are not variables of the
 * path become query parameters, in the order in which the caller passed them.
 * `context.url` is set to the URL without its query, which can contain secrets.
 *
 * @throws TypeError for a path parameter that is missing or invalid, for a
 *   parameter that is an object or in `MISPLACED`, and for a body or header that
 *   can't be sent.
 * @throws URIError for a lone surrogate.
 */
export function buildRequest(
  call: Invocation,
  signal: AbortSignal | null,
  context: ErrorContext,
): ApiRequest {
  const { client, descriptor, parameters, options } = call;
  const { service, options: common } = client;
  const {
    httpMethod = "GET",
    path,
    names = {},
    expand = expandPath,
  } = descriptor;
  const payload = descriptor.body?.(call);
  const values: Readonly<Record<string, unknown>> = {
    ...common.parameters,
    ...options.query,
    ...parameters,
  };
  const used = descriptor.body ? ["requestBody"] : [];
  const lookup = (name: string) => {
    used.push(name);
    return ownValue(values, name);
  };
  const root = common.rootUrl ?? service.rootUrl;
  const full = path[0] === "/" ? path : `/${service.servicePath}${path}`;
  // At most 9 slashes are removed, because a regular expression for any number
  // of slashes would take quadratic time.
  const url = root.replace(/\/{1,9}$/, "") + expand(full, lookup, service);
  context.url = url;
  let query = "";
  const add = (name: string, value: unknown) => {
    for (const item of toList(value))
      if (item != null)
        query += `${query ? "&" : "?"}${encode(name)}=${encode(toText(item, name))}`;
  };
  for (const key of Object.keys(values))
    if (!used.includes(key)) {
      const name = ownValue(names, key);
      const fix = ownValue(MISPLACED, key);
      if (fix && !name && parameters[key] != null)
        throw new TypeError(`${key} is ${fix}`);
      add(name ?? key, values[key]);
    }
  // The API key is not in `values`, because a path can have a variable named
  // `key`.
  if (used.includes("key") || values["key"] == null)
    add("key", common.apiKey || (isApiKey(common.auth) ? common.auth : null));
  const headers = mergeHeaders(
    payload?.headers,
    descriptor.headers,
    common.headers,
    options.headers,
  );
  return {
    url: url + query,
    init: { ...payload, method: httpMethod, headers, signal },
    context,
  };
}

/**
 * Map from a name that other clients accept among the parameters of a call to
 * the end of an error message. As query parameters, these values would reveal
 * secrets or lose a body. A method that declares such a parameter has it in
 * `names`.
 */
const MISPLACED: Readonly<Record<string, string>> = {
  auth: "an option of the client or call",
  headers: "an option of the call",
  media: "not a parameter",
  requestBody: "not a parameter",
  resource: "called requestBody",
};

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
  { keepReserved = (text) => encode(text).replace(/%2F/g, "/") }: Service,
): string {
  return path.replace(/\{(\+?)([^{}]+)\}/g, (_, plus: string, name: string) => {
    const text = toText(lookup(name) ?? "", name);
    const value = (plus ? keepReserved : encode)(text);
    if (!value || dotSegment.test(value))
      throw new TypeError(`path parameter ${name}: empty or dot segment`);
    return value;
  });
}

/**
 * Matches path segments that a URL parser would resolve: `.` and `..`,
 * including percent-encoded dots.
 */
export const dotSegment: RegExp = /(^|\/)(\.|%2e){1,2}(\/|$)/i;

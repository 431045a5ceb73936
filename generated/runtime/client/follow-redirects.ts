/* eslint-disable */
// biome-ignore-all lint: generated

import { discardBody } from "./web-stream.js";
import type { PlainHeaders } from "./headers.js";
import type { Fetch } from "./options.js";

/** Matches names of headers that can be sent to another origin. */
export const CROSS_ORIGIN_HEADERS: RegExp =
  /^(accept(-language)?|(if-)?range|if-none-match)$/;

/**
 * Returns the headers whose names match a regular expression. Names must be in
 * lower case.
 */
export const pickHeaders = (headers: object, names: RegExp): PlainHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => names.test(name)),
  );

/** Request options whose headers are a plain object. */
type PlainInit = RequestInit & { readonly headers: PlainHeaders };

/**
 * Creates a transport that follows redirects of GET and HEAD requests. Only
 * headers that match `CROSS_ORIGIN_HEADERS` are sent to another origin.
 * Redirects of other requests are returned as responses, because following them
 * would change the HTTP method or send a body again (RFC 9110 §15.4). If the
 * request has the option `redirect: "follow"`, the platform follows the
 * redirects instead. Headers must be a plain object with names in lower case.
 *
 * @param left maximum number of redirects.
 * @throws Error with host and code of a failed connection (as a rejection).
 */
export function followRedirects(send: Fetch, left = 5): Fetch {
  return async (url, init) => {
    const { headers, redirect, method = "GET" } = init as PlainInit;
    if (redirect === "follow") return send(url, init);
    let response: Response;
    try {
      // Uses Object.assign, because in V8, adding a property to a copy made
      // with spread syntax is slow (0.5 µs).
      response = await send(
        url,
        Object.assign({}, init, { redirect: "manual" }),
      );
    } catch (thrown) {
      const { message = thrown, cause, code = cause?.code } = Object(thrown);
      // Only string codes such as ECONNREFUSED are used, because
      // DOMException.code is a number.
      const text = typeof code === "string" ? code : message;
      const error = new Error(`${url.split("/")[2]}: ${text}`);
      throw Object.assign(error, { code });
    }
    if (response.ok || redirect === "manual" || !/^(GET|HEAD)$/.test(method))
      return response;
    // Browsers hide the target of a redirect, so the browser must follow the
    // redirect. If the origin changes, browsers remove the `authorization`
    // header themselves.
    if (response.type === "opaqueredirect")
      return send(url, {
        ...init,
        headers: pickHeaders(headers, /^authorization$/),
      });
    const location =
      /^30[12378]$/.test(response.status as never) &&
      response.headers.get("location");
    if (!location) return response;
    await discardBody(response);
    // The query of the base URL is removed, because error messages of the
    // platform contain the URL.
    const { href, origin, protocol } = new URL(location, url.split("?")[0]);
    if (!left || (url.startsWith("https") && protocol !== "https:"))
      throw new TypeError(
        left ? "redirected from https to http" : "too many redirects",
      );
    const isSame = origin === new URL(url).origin;
    const next = isSame
      ? init
      : { ...init, headers: pickHeaders(headers, CROSS_ORIGIN_HEADERS) };
    return followRedirects(send, left - 1)(href, next);
  };
}

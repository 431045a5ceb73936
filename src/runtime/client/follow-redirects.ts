import type { Fetch } from "./options.js";

/** Names of headers that may be sent to another origin. */
export const CROSS_ORIGIN_HEADERS: RegExp =
  /^(accept(-language)?|(if-)?range|if-none-match)$/;

/** Returns the headers with these names, which must be in lower case. */
export const pickHeaders = (
  headers: object | undefined,
  names: RegExp,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).filter(([name]) => names.test(name)),
  );

/**
 * Returns request options with which the platform follows redirects, even to
 * other origins, and therefore only with the named headers.
 */
export function followedByPlatform<T extends { readonly headers: object }>(
  init: T,
  names: RegExp,
): T {
  return {
    ...init,
    redirect: "follow",
    headers: pickHeaders(init.headers, names),
  };
}

/**
 * Creates a transport that follows redirects of GET and HEAD. To another origin
 * it sends only safe headers. It returns redirects of other methods as
 * responses, since following would change the method or send a body again (RFC
 * 9110 §15.4). With `redirect: "follow"` the platform follows. Headers must be
 * a plain object with names in lower case.
 *
 * @param left maximum number of redirects.
 * @throws Error with host and code of a failed connection (as rejection).
 */
export function followRedirects(send: Fetch, left = 5): Fetch {
  return async (url, init) => {
    const { redirect, headers, method = "GET" } = init;
    if (redirect === "follow") return send(url, init);
    const response = await send(url, { ...init, redirect: "manual" }).catch(
      (thrown) => {
        const { message = thrown, cause, code = cause?.code } = Object(thrown);
        // DOMException.code is a number.
        const text = typeof code === "string" ? code : message;
        const error = new Error(`${url.split("/")[2]}: ${text}`);
        throw Object.assign(error, { code });
      },
    );
    if (redirect === "manual" || !/^(GET|HEAD)$/.test(method)) return response;
    // Browsers hide the location of a redirect, and drop this header themselves.
    if (response.type === "opaqueredirect")
      return send(url, {
        ...init,
        headers: pickHeaders(headers, /^authorization$/),
      });
    const location =
      /^30[12378]$/.test(`${response.status}`) &&
      response.headers.get("location");
    if (!location) return response;
    await response.body?.cancel();
    // Use the base without its query: the platform's error would quote it.
    const { href, origin, protocol } = new URL(location, url.split("?")[0]);
    if (!left || (url.startsWith("https") && protocol !== "https:"))
      throw new TypeError("too many redirects, or one from https to http");
    const isSame = origin === new URL(url).origin;
    const next = isSame
      ? init
      : { ...init, headers: pickHeaders(headers, CROSS_ORIGIN_HEADERS) };
    return followRedirects(send, left - 1)(href, next);
  };
}

/* eslint-disable */
// biome-ignore-all lint: generated

import {
  mergeHeaders,
  type HeadersLike,
  type PlainHeaders,
} from "./headers.js";

/** Access token; `null` or `undefined` for an anonymous call. */
export type Token = string | null | undefined;

/** Source of authorization headers, such as the clients of common auth libraries. */
export interface HeadersProvider {
  /** Returns the headers for a URL without its query. */
  getRequestHeaders(url: string): HeadersLike | Promise<HeadersLike>;
  /** Returns the same source, but one that bypasses its cache. */
  renewed?(): HeadersProvider;
}

/** Token, or a function that returns one for each attempt. */
export type TokenSource =
  string | ((request: TokenRequest) => Token | Promise<Token>);

/** Argument of a function that returns tokens. */
export interface TokenRequest {
  /** `true` after the server rejected the last token (401): bypass the cache. */
  readonly refresh?: boolean | undefined;
}

/**
 * Credentials: an access token, a function that returns one for each attempt,
 * or an object that returns headers. A token is sent as `authorization: Bearer`.
 */
export type Auth = TokenSource | HeadersProvider;

/**
 * Adds credentials for a URL to the headers of a request. If these have an
 * `authorization`, it stays and no token is requested.
 *
 * @throws TypeError for a token that is not a valid header value; the message
 *   does not contain it.
 */
export async function authorize(
  auth: Auth | undefined,
  headers: PlainHeaders,
  url: string,
): Promise<PlainHeaders> {
  if (headers["authorization"]) return headers;
  const credentials = await (typeof auth === "function"
    ? auth({})
    : typeof auth === "object"
      ? auth.getRequestHeaders(url)
      : auth);
  if (typeof credentials !== "string")
    return mergeHeaders(credentials, headers);
  if (!/^[!-~]+$/.test(credentials))
    throw new TypeError("the token is invalid");
  return { ...headers, authorization: `Bearer ${credentials}` };
}

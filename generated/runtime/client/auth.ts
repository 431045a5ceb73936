/* eslint-disable */
// biome-ignore-all lint: generated

import {
  mergeHeaders,
  type HeadersLike,
  type PlainHeaders,
} from "./headers.js";

/** An access token, or nothing for an anonymous call. */
export type Token = string | null | undefined;

/** A source of headers, such as the clients of common auth libraries. */
export interface HeadersProvider {
  /** Gives the headers for a URL, which comes without its query. */
  getRequestHeaders(url: string): HeadersLike | Promise<HeadersLike>;
  /** The same source, asked for headers that are not out of a cache. */
  renewed?(): HeadersProvider;
}

/** A token, or a function that gives one for each attempt. */
export type TokenSource =
  string | ((request: TokenRequest) => Token | Promise<Token>);

/** What the runtime tells a source of tokens. */
export interface TokenRequest {
  /** The last token was refused (401): do not give one out of a cache. */
  readonly refresh?: boolean | undefined;
}

/**
 * Credentials: an access token, a function that gives one for each attempt,
 * or an object that gives headers. A token goes into `authorization: Bearer`.
 */
export type Auth = TokenSource | HeadersProvider;

/**
 * The headers of a request with its credentials for a URL; the caller's own
 * `authorization` wins, and then nobody is asked for a token.
 *
 * @throws TypeError if the token fits into no header, without showing it.
 */
export async function authorize(
  auth: Auth | undefined,
  headers: PlainHeaders,
  url: string,
): Promise<PlainHeaders> {
  if (headers["authorization"]) return headers;
  const given = await (typeof auth === "function"
    ? auth({})
    : typeof auth === "object"
      ? auth.getRequestHeaders(url)
      : auth);
  if (typeof given !== "string") return mergeHeaders(given, headers);
  if (!/^[!-~]+$/.test(given)) throw new TypeError("the token is invalid");
  return { ...headers, authorization: `Bearer ${given}` };
}

import {
  mergeHeaders,
  type HeadersLike,
  type PlainHeaders,
} from "./headers.js";

/** Access token; `null` or `undefined` for an anonymous call. */
export type Token = string | null | undefined;

/**
 * Provider of authorization headers, such as a client of an authentication
 * library.
 */
export interface HeadersProvider {
  /**
   * Returns the authorization headers for a URL. The URL is passed without its
   * query.
   */
  getRequestHeaders(url: string): HeadersLike | Promise<HeadersLike>;
  /**
   * Returns an equivalent provider that does not use cached tokens. The runtime
   * calls this function after a response with status 401. Returns `undefined`
   * if there are no credentials.
   */
  renewed?(): HeadersProvider | undefined;
  /**
   * Returns a provider that sends other credentials in the same way. The
   * runtime calls this function for the credentials of a call or of a derived
   * client.
   */
  replaced?(auth: Auth): HeadersProvider;
}

/** Token, or a function that returns a token for each attempt. */
export type TokenSource =
  string | ((request: TokenRequest) => Token | Promise<Token>);

/** Argument passed to a function that returns tokens. */
export interface TokenRequest {
  /**
   * `true` after the server rejected the last token (status 401): the function
   * must not return a cached token.
   */
  readonly refresh?: boolean | undefined;
}

/**
 * Credentials: an access token, a function that returns a token for each
 * attempt, or an object that returns headers. A token is sent as
 * `authorization: Bearer`. A string that begins with `AIza` is an API key and is
 * sent as the query parameter `key`.
 */
export type Auth = TokenSource | HeadersProvider;

/** Tests whether credentials are an API key of Google. */
export function isApiKey(auth: Auth | undefined): auth is string {
  return typeof auth === "string" && auth.startsWith("AIza");
}

/**
 * Adds credentials for a URL to the headers of a request. If the headers
 * already contain `authorization`, they are not changed and no token is
 * requested.
 *
 * @throws TypeError for a token that is not a valid header value; the message
 *   does not contain the token.
 */
export async function authorize(
  auth: Auth | undefined,
  headers: PlainHeaders,
  url: string,
): Promise<PlainHeaders> {
  if (headers["authorization"] || isApiKey(auth)) return headers;
  const credentials = await (typeof auth === "function"
    ? auth({})
    : typeof auth === "object"
      ? auth.getRequestHeaders(url)
      : auth);
  if (typeof credentials !== "string")
    return mergeHeaders(credentials, headers);
  if (!/^[!-~]+$/.test(credentials))
    throw new TypeError("header authorization is invalid");
  return { ...headers, authorization: `Bearer ${credentials}` };
}

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
   * Returns equivalent credentials that do not use cached tokens. The runtime
   * calls this function after a response with status 401. Returns `undefined`
   * if there are no credentials.
   */
  renewed?(): Auth | undefined | Promise<Auth | undefined>;
  /**
   * Returns a provider that sends other credentials in the same way. The
   * runtime calls this function for the credentials of a call or of a derived
   * client.
   */
  replaced?(auth: Auth): HeadersProvider;
}

/** Request for which credentials return headers. */
export interface CredentialsRequest {
  /** Absolute URL, without its query. */
  readonly url: string;
}

/**
 * Credentials such as those of `runtime/auth`, which obtain and cache tokens.
 */
export interface Credentials {
  /** Returns the headers that authorize a request. */
  headers(request: CredentialsRequest): HeadersLike | Promise<HeadersLike>;
  /**
   * Discards the cached token. The runtime calls this function after a response
   * with status 401, and then calls `headers` again.
   */
  refresh(): void | Promise<void>;
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
 * attempt, or an object that returns headers, such as {@link Credentials} or a
 * client of google-auth-library. A token is sent as
 * `authorization: Bearer`. A string that begins with `AIza` is an API key and is
 * sent as the query parameter `key`.
 */
export type Auth = TokenSource | HeadersProvider | Credentials;

/** Returns the headers of an object that provides headers. */
export function headersOf(
  auth: HeadersProvider | Credentials,
  url: string,
): HeadersLike | Promise<HeadersLike> {
  return "getRequestHeaders" in auth
    ? auth.getRequestHeaders(url)
    : auth.headers({ url });
}

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
      ? headersOf(auth, url)
      : auth);
  if (typeof credentials !== "string")
    return mergeHeaders(credentials, headers);
  if (!/^[!-~]+$/.test(credentials))
    throw new TypeError("header authorization is invalid");
  return { ...headers, authorization: `Bearer ${credentials}` };
}

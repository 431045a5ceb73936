/*
 * Types that the modules of this folder share. The folder is independent of the
 * client: a client accepts every object with the two functions of `Credentials`.
 */

/** Request for which headers are needed. */
export interface CredentialsRequest {
  /** Absolute URL of the request, without its query. */
  readonly url: string;
}

/** Source of the headers that authorize requests. */
export interface Credentials {
  /**
   * Returns the headers that authorize a request, with names in lower case. A
   * cached token is used until shortly before it expires; concurrent calls share
   * one token request.
   *
   * @throws CredentialsError if no token can be obtained. The message contains
   *   no secrets.
   */
  headers(
    request: CredentialsRequest,
  ): Promise<Readonly<Record<string, string>>>;
  /**
   * Discards the cached token after a server has rejected it (status 401), so
   * that the next call of `headers` requests another one. Has no effect within
   * 10 seconds after the last discarded token, so that many rejected calls cause
   * one token request.
   */
  refresh(): void | Promise<void>;
  /**
   * Domain of the APIs that accept the token, if it is not `googleapis.com`. Pass
   * it to the option `universeDomain` of a client.
   */
  readonly universeDomain?: string | undefined;
}

/** Credentials of an account that can also issue ID tokens. */
export interface IdTokenCredentials extends Credentials {
  /**
   * Requests an ID token for an audience. The token is the text of the response,
   * or its field `id_token` or `token`.
   */
  idToken(audience: string): Promise<TokenResponse>;
}

/** Response of a token server. */
export interface TokenResponse {
  readonly text: string;
  readonly headers: Headers;
  /** Time of the server in milliseconds since 1970; the local time without `date`. */
  readonly serverTime: number;
}

/** Object with the function of google-auth-library that returns headers. */
export interface HeadersSource {
  getRequestHeaders(url: string): SourceHeaders | Promise<SourceHeaders>;
}

/** `Headers`, or an object with one property for each header. */
export type SourceHeaders =
  Headers | Readonly<Record<string, string | null | undefined>>;

/**
 * Credentials from which others are derived: those of this folder, or a client
 * of google-auth-library.
 */
export type Source = Credentials | HeadersSource;

/** Token and the time for which it is valid. */
export interface AccessToken {
  readonly token: string;
  /** Milliseconds for which the token is valid, from now on. */
  readonly lifetime: number;
}

/** Function that sends a request, such as the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Settings of the requests that obtain tokens. */
export interface TokenRequestOptions {
  /** Function that replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Timeout of each attempt in milliseconds. A token request has up to three
   * attempts. Default: 10,000.
   */
  readonly timeout?: number | undefined;
}

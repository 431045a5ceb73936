/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth } from "./auth.js";
import type { ApiError } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { ApiRequest } from "./request.js";
import type { UploadOptions } from "./upload/types.js";

/** The part of the platform's `fetch` that the runtime uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Intercepts every attempt of every request: pass `request`, or a changed copy,
 * to `next`, and return the response of `next` or a different one.
 * `request.init.headers`, a plain object with names in lower case, has no
 * credentials yet, and `request.facts.url` is the URL without its query, so
 * both may be logged. Interceptors receive responses of any status; only
 * network errors are thrown.
 *
 *     const log: Interceptor = async (request, next) => {
 *       const start = Date.now();
 *       const response = await next(request);
 *       console.log(request.facts.methodId, response.status, Date.now() - start);
 *       return response;
 *     };
 */
export type Interceptor = (
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<Response>,
) => Promise<Response>;

/** Settings of every kind of client, all optional. */
export interface BareOptions {
  /** Absolute URL that replaces the root URL of the API. */
  readonly rootUrl?: string | undefined;
  /** Credentials, see {@link Auth}. Default: anonymous. */
  readonly auth?: Auth | undefined;
  /** API key, sent as query parameter `key` unless a call sets its own key. */
  readonly apiKey?: string | undefined;
  /** Headers of every request; they override the headers of the runtime. */
  readonly headers?: HeadersLike | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Transport such as `nodeTransport()`. Takes precedence over `fetch`. */
  readonly transport?: Fetch | undefined;
  /**
   * Timeout of a call in milliseconds, see `CallOptions.timeout`. Default:
   * none.
   */
  readonly timeout?: number | undefined;
  /**
   * Parameters of every call, such as `quotaUser`; those of a call override
   * them.
   */
  readonly parameters?: object | undefined;
}

/** Settings of a client that `createClient` creates. */
export interface ClientOptions extends BareOptions {
  /**
   * Retry settings; `false` disables retries. Default: up to 4 attempts within
   * a minute, for calls whose HTTP method is idempotent.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** Interceptors of every attempt, outermost first. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Maximum size of a compressed response in bytes after decompression. Media
   * are streams without a limit. Default: 256 MiB.
   */
  readonly maxAnswer?: number | undefined;
  /** Project to bill, sent as header `x-goog-user-project`. */
  readonly quotaProject?: string | undefined;
  /** Domain that replaces `googleapis.com`. */
  readonly universeDomain?: string | undefined;
  /**
   * Uses the root URL for mutual TLS, for clients that present a certificate.
   * Default: `false`.
   */
  readonly mtls?: boolean | undefined;
}

/**
 * Settings of a client of an API with different endpoints for different
 * locations.
 */
export interface LocatedOptions extends ClientOptions {
  /** Location whose endpoint is called (document field `endpoints`). */
  readonly location?: string | undefined;
}

/** Value of a query parameter. */
export type QueryValue = string | number | boolean;

/** Settings of one call; they override those of the client. */
export interface CallOptions extends UploadOptions {
  /** Aborts the call, and a download while its body is being read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of the call in milliseconds. It covers credentials, all attempts
   * and reading of the response, but not the body of a download. Default: no
   * timeout, as for 0.
   */
  readonly timeout?: number | undefined;
  /** Additional headers; they override those of the client. */
  readonly headers?: HeadersLike | undefined;
  /**
   * Additional query parameters that the description does not declare.
   * `undefined` and `null` are not sent. Parameters of the call override them.
   */
  readonly query?:
    | Readonly<
        Record<string, QueryValue | readonly QueryValue[] | null | undefined>
      >
    | undefined;
  /**
   * Retry settings. Each setting overrides the client's; `false` disables
   * retries.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** Additional interceptors, which run inside those of the client. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/** Settings of retries. */
export interface RetryOptions {
  /** Maximum number of attempts, the first included. Default: 4. */
  readonly attempts?: number | undefined;
  /**
   * Maximum time of all attempts and delays in milliseconds; no attempt starts
   * later. Default: 60,000.
   */
  readonly budget?: number | undefined;
  /**
   * Upper limit of the first delay in milliseconds. The limit doubles with each
   * attempt, and each delay is a random time below the limit (full jitter).
   * Default: 1,000.
   */
  readonly delay?: number | undefined;
  /**
   * Maximum delay in milliseconds. A delay requested by the server may be
   * longer. Default: 32,000.
   */
  readonly maxDelay?: number | undefined;
  /**
   * Also retries POST and PATCH, whose effect can then occur twice. Default:
   * retries only idempotent HTTP methods.
   */
  readonly unsafe?: boolean | undefined;
  /**
   * Timeout of each attempt in milliseconds. After a timeout, the next attempt
   * starts. Default: none.
   */
  readonly attemptTimeout?: number | undefined;
  /** Returns whether to retry after an error. Default: `isTransient`. */
  readonly when?: ((error: ApiError) => boolean) | undefined;
  /** Called before each delay. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** A failed attempt that will be followed by another. */
export interface RetryEvent {
  /** Error of the attempt. */
  readonly error: ApiError;
  /** Number of attempts so far; 1 after the first attempt. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

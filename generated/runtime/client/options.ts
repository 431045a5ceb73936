/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiError } from "./error.js";
import type { Auth } from "./auth.js";
import type { HeadersLike } from "./headers.js";
import type { ApiRequest } from "./request.js";
import type { RetryOptions } from "./retry.js";
import type { UploadOptions } from "./upload/types.js";

/** The part of the platform's `fetch` that the runtime uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sees every attempt of every request: pass `request`, or a changed copy, to
 * `next`, and return its response or another. `request.init.headers`, a plain
 * object with names in lower case, has no credentials yet, and `request.facts.url` is the URL without its query, so
 * both may be logged. Responses of any status come by; only network errors are
 * thrown.
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

/** Settings of any client; all of them optional. */
export interface BareOptions {
  /** Replaces the API's root URL; must be absolute. */
  readonly rootUrl?: string | undefined;
  /** Credentials, see {@link Auth}. Default: anonymous. */
  readonly auth?: Auth | undefined;
  /** API key, sent as query parameter `key` unless a call gives its own. */
  readonly apiKey?: string | undefined;
  /** Headers of every request; they win over those that the runtime sets. */
  readonly headers?: HeadersLike | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * How requests travel, such as `nodeTransport()`; like `fetch`, over which it
   * wins.
   */
  readonly transport?: Fetch | undefined;
  /** Time for one call, see `CallOptions.timeout`. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Parameters of every call, such as `quotaUser`; a call's own ones win. */
  readonly parameters?: object | undefined;
}

/** Settings of a client that `createClient` makes. */
export interface ClientOptions extends BareOptions {
  /**
   * When failed calls are tried again; `false`: never. Default: calls whose
   * HTTP method is idempotent, up to 4 attempts within a minute.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** Around every attempt; the first one is the outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Bytes of a compressed answer at most, once it is unpacked; media are
   * streams and have no limit. Default: 256 MiB.
   */
  readonly maxAnswer?: number | undefined;
  /** Project to bill, as header `x-goog-user-project`. */
  readonly quotaProject?: string | undefined;
  /** Domain in place of `googleapis.com`. */
  readonly universeDomain?: string | undefined;
  /** Whether to call the root URL for clients that present a certificate. */
  readonly mtls?: boolean | undefined;
}

/** Settings of a client of an API that has endpoints by location. */
export interface LocatedOptions extends ClientOptions {
  /** Location whose endpoint is called (document field `endpoints`). */
  readonly location?: string | undefined;
}

/** A value in the query. */
export type QueryValue = string | number | boolean;

/** Settings of one call; they win over those of the client. */
export interface CallOptions extends UploadOptions {
  /** Aborts the call, and the body of a download that is being read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call: credentials, all attempts and reading of
   * the answer; a download's body may take longer. Default: no limit, as for 0.
   */
  readonly timeout?: number | undefined;
  /** More headers; they win over those of the client. */
  readonly headers?: HeadersLike | undefined;
  /**
   * Parameters for the query that the description does not know; `undefined`
   * and `null` are not sent. Those of the call itself win.
   */
  readonly query?:
    | Readonly<
        Record<string, QueryValue | readonly QueryValue[] | null | undefined>
      >
    | undefined;
  /** Settings that differ from the client's; `false`: no second attempt. */
  readonly retry?: RetryOptions | false | undefined;
  /** More interceptors, inside those of the client. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/** An attempt that failed and will be made again. */
export interface RetryEvent {
  /** What went wrong. */
  readonly error: ApiError;
  /** How many attempts there were: 1 for the first. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
}

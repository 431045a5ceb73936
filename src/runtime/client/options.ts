import type { Auth } from "./auth.js";
import type { ApiError } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { ApiRequest } from "./request.js";
import type { UploadOptions } from "./upload/types.js";

/**
 * Type of the platform's `fetch`, limited to the arguments that the runtime
 * uses.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Intercepts every attempt of every request. Pass `request`, or a changed copy,
 * to `next`, and return the response of `next` or a different one.
 * `request.init.headers` is a plain object with names in lower case and does
 * not contain credentials yet. `request.context.url` is the URL without its
 * query. Both may therefore be logged. Interceptors receive responses of any
 * status; only network errors are thrown.
 *
 *     const log: Interceptor = async (request, next) => {
 *       const start = Date.now();
 *       const response = await next(request);
 *       console.log(request.context.methodId, response.status, Date.now() - start);
 *       return response;
 *     };
 */
export type Interceptor = (
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<Response>,
) => Promise<Response>;

/**
 * One attempt of a call, as passed to the option `logger`. It contains no
 * headers, no body and no query, so it contains no credentials.
 */
export interface LogEntry {
  /** ID of the called method, such as `drive.files.get`. */
  readonly methodId: string;
  /** HTTP method. */
  readonly httpMethod: string;
  /** URL of the request, without its query. */
  readonly url: string;
  /** Number of the attempt; 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Milliseconds until the response headers were received or the attempt
   * failed, including the time to obtain credentials.
   */
  readonly duration: number;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /**
   * Code or name of the error if there was no response, such as `ECONNREFUSED`
   * or `TimeoutError`.
   */
  readonly error?: string;
}

/** Function that is called after each attempt of each call. */
export type Logger = (entry: LogEntry) => void;

/**
 * Function that runs around each call, including all attempts, such as
 * `instrument` of otel.ts. It must call `run` once and return its result.
 */
export type CallObserver = <T>(
  call: { readonly methodId: string },
  run: () => Promise<T>,
) => Promise<T>;

/** Settings that every kind of client supports. All of them are optional. */
export interface BareOptions {
  /** Absolute URL that replaces the root URL of the API. */
  readonly rootUrl?: string | undefined;
  /** Credentials; see {@link Auth}. Default: anonymous calls. */
  readonly auth?: Auth | undefined;
  /**
   * API key, which is sent as query parameter `key` unless a call sets its own
   * key.
   */
  readonly apiKey?: string | undefined;
  /** Headers sent with every request. They override headers that the runtime sets. */
  readonly headers?: HeadersLike | undefined;
  /** Function that replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Transport such as `nodeTransport()`, which takes precedence over `fetch`.
   */
  readonly transport?: Fetch | undefined;
  /**
   * Timeout of a call in milliseconds; see `CallOptions.timeout`. Default:
   * 300,000 for calls without `media`; none for uploads and bare clients. 0
   * disables it.
   */
  readonly timeout?: number | undefined;
  /**
   * Parameters of every call, such as `quotaUser`. Parameters of a call
   * override them.
   */
  readonly parameters?: object | undefined;
  /**
   * `false` to send no `requestId` of the client. Default: calls of methods with
   * this query parameter send a random UUID, so that they can be retried.
   */
  readonly requestIds?: boolean | undefined;
}

/** Settings of a client that `createClient` creates. */
export interface ClientOptions extends BareOptions {
  /**
   * Retry settings; `false` disables retries. Default: up to 4 attempts within
   * a minute, for calls whose HTTP method is idempotent.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** Interceptors that run for every attempt, outermost first. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Function that is called after each attempt with its method, URL, status and
   * duration, for debugging. It receives no credentials.
   */
  readonly logger?: Logger | undefined;
  /** Function that runs around each call, for traces and metrics. */
  readonly observeCall?: CallObserver | undefined;
  /**
   * Maximum size of a compressed response in bytes after decompression. Media
   * has no limit, because it is read as a stream. Default: 256 MiB.
   */
  readonly maxResponseSize?: number | undefined;
  /** Project to bill, which is sent in the `x-goog-user-project` header. */
  readonly quotaProject?: string | undefined;
  /** Domain that replaces `googleapis.com` in URLs. */
  readonly universeDomain?: string | undefined;
  /**
   * True to use the root URL for mutual TLS, that is, for clients that present
   * a certificate. Default: `false`.
   */
  readonly mtls?: boolean | undefined;
}

/** Settings of a client of an API with regional endpoints. */
export interface LocatedOptions extends ClientOptions {
  /** Location whose endpoint is used (`endpoints` in the API description). */
  readonly location?: string | undefined;
}

/** Value of a query parameter. */
export type QueryValue = string | number | boolean;

/** Settings of one call. They override the settings of the client. */
export interface CallOptions extends UploadOptions {
  /** Credentials of this call; see {@link Auth}. Default: those of the client. */
  readonly auth?: Auth | undefined;
  /**
   * Signal that aborts the call. It also aborts a download while the body is
   * being read.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of the call in milliseconds. It covers obtaining credentials, all
   * attempts and reading the response, but not reading the body of a download.
   * Default: that of the client; 0 disables it.
   */
  readonly timeout?: number | undefined;
  /** Additional headers, which override the client's headers. */
  readonly headers?: HeadersLike | undefined;
  /**
   * Additional query parameters that the API description does not declare.
   * `undefined` and `null` are not sent. Declared parameters of the call
   * override them.
   */
  readonly query?:
    | Readonly<
        Record<string, QueryValue | readonly QueryValue[] | null | undefined>
      >
    | undefined;
  /**
   * Retry settings. Each setting overrides the same setting of the client;
   * `false` disables retries.
   */
  readonly retry?: RetryOptions | false | undefined;
  /** Additional interceptors, nested inside the client's interceptors. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/** Retry settings. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. Default: 4. */
  readonly attempts?: number | undefined;
  /**
   * Maximum time in milliseconds for all attempts and delays. After this time,
   * no attempt starts. Default: 60,000.
   */
  readonly budget?: number | undefined;
  /**
   * Upper limit of the first delay in milliseconds. The limit doubles with each
   * attempt, and each delay is a random time below the limit (full jitter).
   * Default: 1,000.
   */
  readonly delay?: number | undefined;
  /**
   * Maximum delay in milliseconds. A delay that the server requests can be
   * longer. Default: 32,000.
   */
  readonly maxDelay?: number | undefined;
  /**
   * Also retries POST and PATCH requests, whose effect can then occur twice.
   * Default: only idempotent HTTP methods, and calls with a `requestId` that the
   * API description declares, are retried.
   */
  readonly unsafe?: boolean | undefined;
  /**
   * Timeout of each attempt in milliseconds. After a timeout, the call is
   * retried. Default: none.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * Function that decides whether an attempt is retried after an error.
   * Default: `isTransient`.
   */
  readonly when?: ((error: ApiError) => boolean) | undefined;
  /** Function that is called before the delay of each retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** Failed attempt that is followed by another attempt. */
export interface RetryEvent {
  /** Error of the failed attempt. */
  readonly error: ApiError;
  /** Number of attempts so far; 1 after the first attempt. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

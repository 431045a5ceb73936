import type { Call, Credential, MethodInfo } from "./call.js";
import type { ApiError } from "./error.js";
import type { ServerRequest } from "./request.js";
import type { UploadStore } from "./uploads/contract.js";

/** Argument of {@link ServerOptions.authenticate}. */
export interface AuthRequest {
  readonly method: MethodInfo;
  /** From the `Authorization` header, or the query parameter `access_token`. */
  readonly credential: Credential | undefined;
  /** API key: parameter `key` or header `x-goog-api-key`. */
  readonly key: string | undefined;
  readonly request: ServerRequest;
}

/** Result of {@link ServerOptions.rateLimit} for a refused request. */
export interface RateLimit {
  /** Seconds until the caller may retry. */
  readonly retryAfter: number;
  readonly message?: string;
}

/** Log entry of one request. */
export interface LogEntry {
  readonly request: ServerRequest;
  /** Absent if no route matched. */
  readonly method: MethodInfo | undefined;
  readonly status: number;
  /** Milliseconds until the response was ready, excluding its stream. */
  readonly duration: number;
  readonly requestId: string | undefined;
  /** Thrown value, including the cause of a 500. */
  readonly error: unknown;
}

/** Cross-origin access (CORS); see the Fetch standard. */
export interface CorsOptions {
  /** Allowed origins; `*` for all. */
  readonly origins: "*" | readonly string[];
  /** True if pages may send cookies; not allowed with `*`. */
  readonly credentials?: boolean;
  /** Response headers that pages may read, in addition to the standard ones. */
  readonly expose?: readonly string[];
  /** Seconds for which browsers cache a preflight. Default: 3600. */
  readonly maxAge?: number;
}

/** Limits of the cost of requests. */
export interface Limits {
  /** Bytes of a body that is read into memory. Default: 10 MiB. */
  readonly body?: number;
  /** Depth of nested arrays and objects in JSON. Default: 100. */
  readonly depth?: number;
  /** Bytes of an upload, if the description sets no limit. Default: 5 TiB. */
  readonly upload?: number;
  /** Calls in one batch. Default: 1000. */
  readonly batch?: number;
  /** Bytes of a batch request. Default: 10 MiB. */
  readonly batchBody?: number;
  /**
   * Bytes of all responses in a batch; further calls get 413. Default: 32 MiB.
   */
  readonly batchResponses?: number;
  /**
   * Bytes of all concurrent batches of the server, requests and responses;
   * further batches get 503. Default: 128 MiB.
   */
  readonly batches?: number;
  /**
   * Milliseconds to receive a body that is read into memory, or a batch.
   * Default: 60,000.
   */
  readonly bodyTime?: number;
  /** Milliseconds between two chunks of an upload. Default: 60,000. */
  readonly pieceTime?: number;
}

/**
 * Settings of a server; all are optional.
 *
 * @typeParam A result of `authenticate`, passed to handlers as `auth`.
 */
export interface ServerOptions<A = unknown> {
  /** Path prefix of all routes, such as `/apis`. */
  readonly basePath?: string | undefined;
  /**
   * Scheme and host of URLs in responses (`Link`, `Location` of uploads), such
   * as `https://api.example.com`. Default: derived from the request.
   */
  readonly origin?: string | undefined;
  /**
   * True if `X-Forwarded-Proto`, `-Host` and `-For` of the proxy in front of
   * the server are trusted. Set it only if no caller can bypass that proxy.
   * Default: false.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * Authenticates the caller; throws an ApiError 401 to refuse. Without it, all
   * callers are accepted.
   */
  readonly authenticate?:
    ((request: AuthRequest) => A | Promise<A>) | undefined;
  /**
   * Called for each batch before its body is read; throws an ApiError to refuse
   * the batch. Each call in the batch is authenticated by `authenticate` as
   * well. Without it, every caller may send batches within `limits`.
   */
  readonly authenticateBatch?:
    ((request: Omit<AuthRequest, "method">) => unknown) | undefined;
  /**
   * Returns false if the caller may not make this call, which becomes a 403.
   */
  readonly authorize?:
    | ((
        call: Call<unknown, unknown, A>,
      ) => boolean | void | Promise<boolean | void>)
    | undefined;
  /**
   * Returns the retry delay for a request beyond the rate limit, which becomes
   * a 429.
   */
  readonly rateLimit?:
    | ((
        request: AuthRequest,
        auth: A,
      ) => RateLimit | undefined | Promise<RateLimit | undefined>)
    | undefined;
  /** Called after each request. Errors that it throws are ignored. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  readonly cors?: CorsOptions | undefined;
  /** Returns an ID for a request, sent as `x-request-id`. */
  readonly requestId?: ((request: ServerRequest) => string) | undefined;
  /**
   * Returns headers for every response, including errors, such as the server's
   * version.
   */
  readonly headers?:
    | ((
        request: ServerRequest,
        method: MethodInfo | undefined,
      ) => Readonly<Record<string, string>>)
    | undefined;
  readonly limits?: Limits | undefined;
  /** Store of resumable uploads. Default: in memory, see `memoryUploads`. */
  readonly uploads?: UploadStore | undefined;
  /** Handling of undeclared query parameters. Default: `ignore`. */
  readonly unknownParameters?: "ignore" | "reject" | undefined;
  /** Handling of undeclared properties in bodies. Default: `ignore`. */
  readonly unknownFields?: "ignore" | "reject" | undefined;
  /** Handling of values that an `enum` does not list. Default: `reject`. */
  readonly unknownEnums?: "accept" | "reject" | undefined;
  /**
   * True if responses are validated too; an invalid one becomes a 500, and the
   * log has the reason. Default: false.
   */
  readonly validateAnswers?: boolean | undefined;
  /** Returns the body of an error, replacing the API's own envelope. */
  readonly envelope?: ((error: ApiError) => unknown) | undefined;
}

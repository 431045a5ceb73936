import type { Call, Credential, MethodInfo } from "./call.js";
import type { Descriptions } from "./descriptions.js";
import type { ApiError } from "./error.js";
import type { ServerRequest } from "./request.js";
import type { UploadStore } from "./uploads/contract.js";

/** Request that {@link ServerOptions.authenticate} receives. */
export interface AuthRequest {
  readonly method: MethodInfo;
  /**
   * Credential from the `Authorization` header or the query parameter
   * `access_token`.
   */
  readonly credential: Credential | undefined;
  /** API key from the query parameter `key` or the `x-goog-api-key` header. */
  readonly key: string | undefined;
  readonly request: ServerRequest;
}

/** Result of {@link ServerOptions.rateLimit} for a rejected request. */
export interface RateLimit {
  /** Number of seconds after which the caller can retry. */
  readonly retryAfter: number;
  readonly message?: string;
}

/** Log entry of one request. */
export interface LogEntry {
  readonly request: ServerRequest;
  /** Called method; undefined if no route matched. */
  readonly method: MethodInfo | undefined;
  readonly status: number;
  /**
   * Time in milliseconds until the response was ready. Does not include the
   * time for sending a stream.
   */
  readonly duration: number;
  readonly requestId: string | undefined;
  /**
   * Thrown value if the request failed. It can contain details that the
   * response does not contain.
   */
  readonly error: unknown;
}

/** Options for cross-origin requests (CORS); see the Fetch standard. */
export interface CorsOptions {
  /** Allowed origins, or `*` to allow all origins. */
  readonly origins: "*" | readonly string[];
  /**
   * True to allow browsers to send cookies. This has no effect if `origins` is
   * `*`.
   */
  readonly credentials?: boolean;
  /**
   * Response headers that scripts can read in addition to the default headers.
   */
  readonly expose?: readonly string[];
  /**
   * Number of seconds for which browsers cache the response to a preflight
   * request. Default: 3600.
   */
  readonly maxAge?: number;
}

/** Limits for requests. */
export interface Limits {
  /**
   * Maximum size in bytes of a body that is read into memory. Default: 10 MiB.
   */
  readonly body?: number;
  /** Maximum nesting depth of arrays and objects in JSON. Default: 100. */
  readonly depth?: number;
  /**
   * Maximum size of an upload in bytes, if the API description does not define
   * it. Default: 5 TiB.
   */
  readonly upload?: number;
  /** Maximum number of calls in a batch. Default: 1000. */
  readonly batch?: number;
  /** Maximum size of a batch request in bytes. Default: 10 MiB. */
  readonly batchBody?: number;
  /**
   * Maximum total size in bytes of all responses in a batch. Calls beyond this
   * limit result in 413. Default: 32 MiB.
   */
  readonly batchResponses?: number;
  /**
   * Maximum total size in bytes of the requests and responses of all concurrent
   * batches of the server. Batches beyond this limit result in 503. Default:
   * 128 MiB.
   */
  readonly batches?: number;
  /**
   * Timeout in milliseconds for receiving a batch request, or a body that is
   * read into memory. Default: 60,000.
   */
  readonly bodyTime?: number;
  /**
   * Timeout in milliseconds for the next chunk of an upload. Default: 60,000.
   */
  readonly pieceTime?: number;
}

/**
 * Options of a server.
 *
 * @typeParam A type of the result of `authenticate`, which handlers receive as
 *   `auth`.
 */
export interface ServerOptions<A = unknown> {
  /** Path prefix of all routes, such as `/apis`. */
  readonly basePath?: string | undefined;
  /**
   * Scheme and host of the URLs in response headers (`Link`, and `Location` of
   * upload sessions), such as `https://api.example.com`. Default: derived from
   * the request.
   */
  readonly origin?: string | undefined;
  /**
   * True to trust the `X-Forwarded-Proto`, `X-Forwarded-Host` and
   * `X-Forwarded-For` headers of a proxy. Set it only if callers can't bypass
   * the proxy. Default: false.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * Function that authenticates the caller. It must throw an ApiError 401 to
   * reject the caller. Without this hook, all callers are accepted.
   */
  readonly authenticate?:
    ((request: AuthRequest) => A | Promise<A>) | undefined;
  /**
   * Function that is called for each batch before its body is read. It must
   * throw an ApiError to reject the batch. The hook `authenticate` is still
   * called for each call in the batch. Without this hook, every caller can send
   * batches within `limits`.
   */
  readonly authenticateBatch?:
    ((request: Omit<AuthRequest, "method">) => unknown) | undefined;
  /**
   * Function that returns false if the caller is not allowed to make a call.
   * The call then results in 403.
   */
  readonly authorize?:
    | ((
        call: Call<unknown, unknown, A>,
      ) => boolean | void | Promise<boolean | void>)
    | undefined;
  /**
   * Function that checks the rate limit. If a request exceeds the limit, the
   * function must return the retry delay, and the request results in 429.
   */
  readonly rateLimit?:
    | ((
        request: AuthRequest,
        auth: A,
      ) => RateLimit | undefined | Promise<RateLimit | undefined>)
    | undefined;
  /**
   * Function that is called with a log entry after each request. Errors that
   * the function throws are ignored.
   */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  readonly cors?: CorsOptions | undefined;
  /**
   * Function that returns an ID for a request. The response contains the ID in
   * the `x-request-id` header.
   */
  readonly requestId?: ((request: ServerRequest) => string) | undefined;
  /**
   * Function that returns headers, such as the server's version. They are added
   * to every response, including error responses.
   */
  readonly headers?:
    | ((
        request: ServerRequest,
        method: MethodInfo | undefined,
      ) => Readonly<Record<string, string>>)
    | undefined;
  readonly limits?: Limits | undefined;
  /**
   * Store for resumable uploads. Default: a store in memory; see
   * `memoryUploads`.
   */
  readonly uploads?: UploadStore | undefined;
  /**
   * Specifies whether undeclared query parameters are rejected or ignored.
   * Default: `ignore`.
   */
  readonly unknownParameters?: "ignore" | "reject" | undefined;
  /**
   * Specifies whether undeclared properties in bodies are rejected or ignored.
   * Default: `ignore`.
   */
  readonly unknownFields?: "ignore" | "reject" | undefined;
  /**
   * Specifies whether values that an `enum` does not list are rejected or
   * accepted. Default: `reject`.
   */
  readonly unknownEnums?: "accept" | "reject" | undefined;
  /**
   * True to validate responses too. An invalid response is replaced by a 500
   * error, and the log entry contains the reason. Default: false.
   */
  readonly validateResponses?: boolean | undefined;
  /**
   * Descriptions that the server serves, from `describeApis`. They are served
   * without `authenticate`. Default: none.
   */
  readonly descriptions?: Descriptions | undefined;
  /**
   * Function that returns the body of an error response instead of the API's
   * own error body.
   */
  readonly envelope?: ((error: ApiError) => unknown) | undefined;
}

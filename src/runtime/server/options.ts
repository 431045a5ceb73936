import type { Call, Credential, MethodInfo } from "./call.js";
import type { ApiError } from "./error.js";
import type { ServerRequest } from "./request.js";
import type { UploadStore } from "./uploads/contract.js";

/** What {@link ServerOptions.authenticate} is told. */
export interface AuthRequest {
  readonly method: MethodInfo;
  /** From the `Authorization` header, or `access_token` of the query. */
  readonly credential: Credential | undefined;
  /** API key: parameter `key` or header `x-goog-api-key`. */
  readonly key: string | undefined;
  readonly request: ServerRequest;
}

/** What {@link ServerOptions.rateLimit} says of a request that comes too early. */
export interface RateLimit {
  /** Seconds after which the caller may try again. */
  readonly retryAfter: number;
  readonly message?: string;
}

/** One request that was answered. */
export interface LogEntry {
  readonly request: ServerRequest;
  /** Absent where no method was found. */
  readonly method: MethodInfo | undefined;
  readonly status: number;
  /** Milliseconds until the answer was ready, its stream aside. */
  readonly duration: number;
  readonly requestId: string | undefined;
  /** What was thrown, the cause of a 500 included. */
  readonly error: unknown;
}

/** Which pages of other origins may call; see the Fetch standard. */
export interface CorsOptions {
  /** `*` for all. */
  readonly origins: "*" | readonly string[];
  /** Whether pages may send cookies along; not with `*`. */
  readonly credentials?: boolean;
  /** Headers of answers that pages may see, besides the usual ones. */
  readonly expose?: readonly string[];
  /** Seconds for which a preflight is remembered. Default: an hour. */
  readonly maxAge?: number;
}

/** Bounds of what one request may cost. */
export interface Limits {
  /** Bytes of a body that is read as a whole. Default: 10 MiB. */
  readonly body?: number;
  /** Depth of nested arrays and objects in JSON. Default: 100. */
  readonly depth?: number;
  /** Bytes of an upload, where the description has no bound. Default: 5 TiB. */
  readonly upload?: number;
  /** Calls in one batch. Default: 1000. */
  readonly batch?: number;
  /** Bytes of the request of a batch. Default: 10 MiB. */
  readonly batchBody?: number;
  /** Bytes of the responses of a batch together; further calls are answered by 413. Default: 32 MiB. */
  readonly batchResponses?: number;
  /** Bytes of all batches of the server at the same time, requests and responses; further batches are answered by 503. Default: 128 MiB. */
  readonly batches?: number;
  /** Milliseconds for a body that is read as a whole, or a batch, to arrive. Default: 60,000. */
  readonly bodyTime?: number;
  /** Milliseconds between two pieces of an upload. Default: 60,000. */
  readonly pieceTime?: number;
}

/**
 * Settings of a server; all of them optional.
 *
 * @typeParam A what `authenticate` gives, which handlers find in `auth`.
 */
export interface ServerOptions<A = unknown> {
  /** Path in front of everything, such as `/apis`. */
  readonly basePath?: string | undefined;
  /**
   * Scheme and host of the URLs that the server writes (`Link`, `Location` of
   * uploads), such as `https://api.example.com`. Default: what the request says.
   */
  readonly origin?: string | undefined;
  /**
   * Whether the proxy in front of the server is believed what it says of the
   * caller in `X-Forwarded-Proto`, `-Host` and `-For`. Only where nobody gets
   * past that proxy. Default: no.
   */
  readonly trustProxy?: boolean | undefined;
  /** Tells who calls; throws an ApiError 401 for who must not. Without it, everybody may. */
  readonly authenticate?:
    ((request: AuthRequest) => A | Promise<A>) | undefined;
  /**
   * Called for each batch before its body is read; throws an ApiError for a
   * sender who must not send one. Each call of the batch goes to `authenticate`
   * in any case. Without it, everybody may send batches within `limits`.
   */
  readonly authenticateBatch?:
    ((request: Omit<AuthRequest, "method">) => unknown) | undefined;
  /** Tells whether the caller may make this call; `false` is answered by 403. */
  readonly authorize?:
    | ((
        call: Call<unknown, unknown, A>,
      ) => boolean | void | Promise<boolean | void>)
    | undefined;
  /** Tells whether a request comes too early, which is answered by 429. */
  readonly rateLimit?:
    | ((
        request: AuthRequest,
        auth: A,
      ) => RateLimit | undefined | Promise<RateLimit | undefined>)
    | undefined;
  /** Called after each request. What it throws is ignored. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  readonly cors?: CorsOptions | undefined;
  /** Gives requests an id, which answers have as `x-request-id`. */
  readonly requestId?: ((request: ServerRequest) => string) | undefined;
  /** Headers of every answer, failures included, such as the version that answered. */
  readonly headers?:
    | ((
        request: ServerRequest,
        method: MethodInfo | undefined,
      ) => Readonly<Record<string, string>>)
    | undefined;
  readonly limits?: Limits | undefined;
  /** Where resumable uploads are kept. Default: in memory, see `memoryUploads`. */
  readonly uploads?: UploadStore | undefined;
  /** Query parameters that are not declared. Default: `ignore`. */
  readonly unknownParameters?: "ignore" | "reject" | undefined;
  /** Properties of bodies that are not declared. Default: `ignore`. */
  readonly unknownFields?: "ignore" | "reject" | undefined;
  /** Values beyond those of an `enum`. Default: `reject`. */
  readonly unknownEnums?: "accept" | "reject" | undefined;
  /** Looks answers over as well; a bad one is a 500, and the log says why. Default: no. */
  readonly validateAnswers?: boolean | undefined;
  /** Writes the body of a failure, in place of the API's own envelope. */
  readonly envelope?: ((error: ApiError) => unknown) | undefined;
}

/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Kind of a failure: `http`, a status other than 2xx; `network`, no response or
 * an incomplete one; `timeout`; `abort`; `decode`, an invalid response;
 * `request`, an invalid call that was not sent; `upload`, an upload that can't
 * continue; `operation`, a long-running operation that failed.
 */
export type ErrorKind =
  | "http"
  | "network"
  | "timeout"
  | "abort"
  | "decode"
  | "request"
  | "upload"
  | "operation";

/** Element of the `errors` list in an error response. */
export interface ErrorItem {
  /** Machine-readable reason, such as `rateLimitExceeded`. */
  readonly reason?: string;
  /** Namespace of the reason, such as `usageLimits`. */
  readonly domain?: string;
  /** Human-readable message. */
  readonly message?: string;
  /** Part of the request that caused the error. */
  readonly location?: string;
  /** Type of `location`, such as `parameter`. */
  readonly locationType?: string;
}

/** Element of the `details` list in an error response. */
export interface ErrorDetail {
  /** Type URL, such as `type.googleapis.com/google.rpc.ErrorInfo`. */
  readonly "@type"?: string;
  readonly [field: string]: unknown;
}

/**
 * One problem in a request, from an error response whose structure the API
 * description declares.
 */
export interface Problem {
  /** Human-readable message. */
  readonly message?: string;
  /** Machine-readable code. */
  readonly code?: string;
  /** Machine-readable category of the failure. */
  readonly reason?: string;
  /**
   * Name of the invalid parameter, or path of the invalid member in the body.
   */
  readonly field?: string;
}

/**
 * Properties of an error. Properties that do not apply are absent or
 * `undefined`.
 */
export interface ErrorFacts {
  kind: ErrorKind;
  /** ID of the called method, such as `drive.files.get`. */
  methodId: string;
  /** HTTP status, if there was a response. */
  status?: number | undefined;
  /** Canonical error code, such as `NOT_FOUND` or `invalid_grant`. */
  code?: string | undefined;
  /** First reason in the error response, such as `rateLimitExceeded`. */
  reason?: string | undefined;
  /** The `errors` list of the error response, as received. */
  errors?: readonly ErrorItem[] | undefined;
  /** The `details` list of the error response, as received. */
  details?: readonly ErrorDetail[] | undefined;
  /**
   * Parsed body, if the error response has the structure that the API
   * description declares.
   */
  data?: unknown;
  /**
   * Name of the invalid parameter or member of the body, if the error response
   * has the structure that the API description declares.
   */
  field?: string | undefined;
  /**
   * All problems in the request, if the error response has the structure that
   * the API description declares.
   */
  problems?: readonly Problem[] | undefined;
  /** URL of the request, without its query. */
  url?: string | undefined;
  /**
   * ID that the server assigned to the request (`x-request-id`), for support
   * requests.
   */
  requestId?: string | null;
  /** Headers of the error response. */
  headers?: Headers | undefined;
  /** First 2000 characters of the response body. */
  body?: string | undefined;
  /** Human-readable message in the error response. */
  serverMessage?: string | undefined;
  /**
   * Thrown value, or the reason of the abort signal. For a failed connection,
   * an object that contains only the `code`, such as `ECONNREFUSED`, because
   * the platform's errors contain the URL.
   */
  cause?: unknown;
}

/**
 * Class `Error` whose type also has the members of {@link ErrorFacts}. Only the
 * properties that apply are set.
 */
const Base: new (
  message: string,
  facts: ErrorFacts,
) => Error & Readonly<ErrorFacts> = Error as never;

/**
 * Error of a failed call. It does not contain credentials: request headers and
 * the query of the URL are omitted.
 */
export class ApiError extends Base {
  /**
   * Name that {@link isApiError} compares. `instanceof` is not used, because it
   * is false for errors of another copy of this runtime.
   */
  override readonly name: string = "ApiError";

  /** Creates an error whose message begins with the ID of the method. */
  constructor(message: string, facts: ErrorFacts) {
    super(`${facts.methodId}: ${message}`, facts);
    Object.assign(this, facts);
  }
}

/** Tests whether a value is an {@link ApiError} of any copy of this runtime. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && value.name === "ApiError";
}

/**
 * Returns an ApiError for any value that was thrown during a call. An error
 * from the platform can contain the URL, including secrets. Therefore, only the
 * message of such an error is used, with query strings removed.
 */
export function toApiError(
  thrown: unknown,
  signal: AbortSignal | null,
  facts: ErrorFacts,
): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const cause: unknown = signal?.aborted ? signal.reason : thrown;
  const { name, message = cause, code } = Object(cause);
  if (signal?.aborted)
    facts.kind = name === "TimeoutError" ? "timeout" : "abort";
  const text = String(message).replace(/\?\S+/g, "");
  const isOwn = text === message && facts.kind !== "network";
  return new ApiError(text, { ...facts, cause: isOwn ? cause : { code } });
}

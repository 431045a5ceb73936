/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Kind of a failure: `http`, a status that is not 2xx; `network`, no response
 * or an incomplete one; `timeout`; `abort`; `decode`, an invalid response;
 * `request`, a call that was not sent because it is invalid; `upload`, an
 * upload that cannot continue; `operation`, a long-running operation that
 * failed.
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

/** Element of `errors` in an API's error envelope. */
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

/**
 * Element of `details` in an API's error envelope, discriminated by its type.
 */
export interface ErrorDetail {
  /** Type URL, such as `type.googleapis.com/google.rpc.ErrorInfo`. */
  readonly "@type"?: string;
  readonly [field: string]: unknown;
}

/**
 * One problem of a request, reported by an API whose description declares error
 * bodies.
 */
export interface Problem {
  /** Human-readable message. */
  readonly message?: string;
  /** Machine-readable code. */
  readonly code?: string;
  /** Machine-readable class of the failure. */
  readonly reason?: string;
  /** Invalid parameter, or path of the invalid member of the body. */
  readonly field?: string;
}

/**
 * Properties of an error; those that do not apply are absent or `undefined`.
 */
export interface ErrorFacts {
  kind: ErrorKind;
  /** Id of the called method, such as `drive.files.get`. */
  methodId: string;
  /** HTTP status, if there was a response. */
  status?: number | undefined;
  /** Canonical code of the API, such as `NOT_FOUND` or `invalid_grant`. */
  code?: string | undefined;
  /** First reason in the error body, such as `rateLimitExceeded`. */
  reason?: string | undefined;
  /** `errors` of the error body, as received. */
  errors?: readonly ErrorItem[] | undefined;
  /** `details` of the error body, as received. */
  details?: readonly ErrorDetail[] | undefined;
  /** Parsed body, if it has the structure that the description declares. */
  data?: unknown;
  /**
   * Invalid parameter or member of the body, if the error body has the declared
   * structure.
   */
  field?: string | undefined;
  /**
   * All problems of the request, if the error body has the declared structure.
   */
  problems?: readonly Problem[] | undefined;
  /** URL of the request, without its query. */
  url?: string | undefined;
  /** Id of the request at the server (`x-request-id`), for support requests. */
  requestId?: string | null;
  /** Headers of the response. */
  headers?: Headers | undefined;
  /** Beginning of the response body, at most 2000 characters. */
  body?: string | undefined;
  /** Human-readable message of the server. */
  serverMessage?: string | undefined;
  /**
   * Thrown value, or reason of the abort. For a failed connection, it is only
   * an object with the `code`, such as `ECONNREFUSED`, because the errors of
   * platforms contain the URL.
   */
  cause?: unknown;
}

/**
 * `Error` whose type includes {@link ErrorFacts}. Only the properties that
 * apply are set.
 */
const Base: new (
  message: string,
  facts: ErrorFacts,
) => Error & Readonly<ErrorFacts> = Error as never;

/**
 * Error of every failed call. It contains no credentials: it has no request
 * headers, and its URL has no query.
 */
export class ApiError extends Base {
  /**
   * Name that {@link isApiError} checks, because `instanceof` is false for
   * errors of other copies of this runtime.
   */
  override readonly name: string = "ApiError";

  /** Creates an error whose message begins with the id of the method. */
  constructor(message: string, facts: ErrorFacts) {
    super(`${facts.methodId}: ${message}`, facts);
    Object.assign(this, facts);
  }
}

/**
 * Returns whether a value is an {@link ApiError} of any copy of this runtime.
 */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && value.name === "ApiError";
}

/**
 * Converts a value thrown during a call to an error. Errors of the platform can
 * contain the URL with its secrets, so only their message is used, with queries
 * removed.
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

/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * What went wrong: `http` an answer whose status is not 2xx; `network` no
 * answer, or it broke off; `timeout` and `abort`; `decode` an answer that
 * makes no sense; `request` a call that cannot be sent, and was not; `upload`
 * an upload that cannot go on; `operation` one that ended with an error.
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

/** One of the `errors` of an API's error envelope. */
export interface ErrorItem {
  /** Machine-readable reason, such as `rateLimitExceeded`. */
  readonly reason?: string;
  /** Where the reason is defined, such as `usageLimits`. */
  readonly domain?: string;
  /** Text for people. */
  readonly message?: string;
  /** The part of the request at fault. */
  readonly location?: string;
  /** What `location` is, such as `parameter`. */
  readonly locationType?: string;
}

/** One of the `details` of an API's error envelope, told by its type. */
export interface ErrorDetail {
  /** Such as `type.googleapis.com/google.rpc.ErrorInfo`. */
  readonly "@type"?: string;
  readonly [field: string]: unknown;
}

/** One of the things that are wrong, as an API with described errors says it. */
export interface Problem {
  /** Text for people. */
  readonly message?: string;
  /** The failure as one word. */
  readonly code?: string;
  /** The class of the failure as one word. */
  readonly reason?: string;
  /** Name of the parameter, or path of the member of the body, at fault. */
  readonly field?: string;
}

/** What is known of an error; fields that do not apply are absent or `undefined`. */
export interface ErrorFacts {
  /** What went wrong. */
  kind: ErrorKind;
  /** Id of the method that was called, such as `drive.files.get`. */
  methodId: string;
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
  /** The API's canonical code, such as `NOT_FOUND` or `invalid_grant`. */
  code?: string | undefined;
  /** The first reason that the API gives, such as `rateLimitExceeded`. */
  reason?: string | undefined;
  /** The list `errors` of the error body, as received. */
  errors?: readonly ErrorItem[] | undefined;
  /** The list `details` of the error body, as received. */
  details?: readonly ErrorDetail[] | undefined;
  /** The body, parsed, if it has the form that the description gives it. */
  data?: unknown;
  /** The parameter or member at fault, of a body that has the described form. */
  field?: string | undefined;
  /** All that is wrong, of a body that has the described form. */
  problems?: readonly Problem[] | undefined;
  /** URL of the request, without its query. */
  url?: string | undefined;
  /** The server's id of the request (`x-request-id`), to quote to its support. */
  requestId?: string | null;
  /** Headers of the answer. */
  headers?: Headers | undefined;
  /** The beginning of the answer's body, at most 2000 characters. */
  body?: string | undefined;
  /** What the server says of the error, for people. */
  serverMessage?: string | undefined;
  /**
   * What was thrown, or the reason of the abort. Of a failed connection only
   * the code (such as `ECONNREFUSED`) or the text: platforms attach the URL.
   */
  cause?: unknown;
}

/** `Error` with the type of our fields; they are set only where they apply. */
const Base: new (
  message: string,
  facts: ErrorFacts,
) => Error & Readonly<ErrorFacts> = Error as never;

/**
 * The one error of the client. It holds no credentials: no request headers,
 * and the URL without its query.
 */
export class ApiError extends Base {
  /** `ApiError`, also in other copies of this runtime. */
  override readonly name: string = "ApiError";

  /** Makes an error; its message begins with the method's id. */
  constructor(message: string, facts: ErrorFacts) {
    super(`${facts.methodId}: ${message}`, facts);
    Object.assign(this, facts);
  }
}

/** Whether a caught value is an {@link ApiError}, of whichever copy. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && value.name === "ApiError";
}

/**
 * Returns the error for whatever was thrown during a call. What a platform
 * throws may quote or hold the URL with its secrets: of it only the text is
 * kept, without queries.
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

import { toList } from "./values.js";

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
export interface ErrorContext {
  kind: ErrorKind;
  /** ID of the called method, such as `drive.files.get`. */
  methodId: string;
  /** HTTP status, if there was a response. */
  status?: number | undefined;
  /**
   * HTTP status of the error response, or code of a failed connection, such as
   * `ECONNREFUSED`: the values that `googleapis` calls `code`.
   */
  code?: number | string | undefined;
  /**
   * Machine-readable code in the error response, such as `NOT_FOUND` or
   * `invalid_grant`, or the code of a failed operation.
   */
  serverCode?: string | undefined;
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
   * Number of attempts, including the first; in a resumable upload, of the
   * attempts since the last progress. Absent for bare clients.
   */
  attempts?: number | undefined;
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
 * Class `Error` whose type also has the members of {@link ErrorContext}. Only the
 * properties that apply are set.
 */
const Base: new (
  message: string,
  context: ErrorContext,
) => Error & Readonly<ErrorContext> = Error as never;

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
  constructor(message: string, context: ErrorContext) {
    super(`${context.methodId}: ${message}`, context);
    Object.assign(this, context);
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
  context: ErrorContext,
): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const cause: unknown = signal?.aborted ? signal.reason : thrown;
  const { name, message = cause, code } = Object(cause);
  if (signal?.aborted)
    context.kind = name === "TimeoutError" ? "timeout" : "abort";
  const text = String(message).replace(/\?\S+/g, "");
  const isOwn = text === message && context.kind !== "network";
  return new ApiError(text, {
    ...context,
    ...(isOwn ? { cause } : { code, cause: { code } }),
  });
}

/** Parsed body of an error response. */
export interface Envelope {
  /** First 2000 characters of the body. */
  readonly body: string;
  readonly serverMessage?: string | undefined;
  readonly serverCode?: string | undefined;
  readonly reason?: string | undefined;
  readonly errors?: readonly ErrorItem[] | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly data?: unknown;
  readonly field?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
}

/**
 * Parses the body of an error response. Accepts `{error: {...}}`, also in a
 * list, OAuth's `{error, error_description}`, `{error: text}`,
 * `{message, errors}` and `{status, msg}`. For any other body, such as an HTML
 * page, the message is the beginning of the text.
 */
export function readEnvelope(text: string): Envelope {
  const body = text.slice(0, 2000);
  let root: UnknownFields;
  try {
    root = Object(toList(JSON.parse(text))[0]);
  } catch {
    // The first 200 characters of the text in an HTML page usually include the
    // title.
    const plain = body
      .replace(/(<s(tyle|cript)[^]*?<\/s[^<>]*>|<[^<>]*>|\s)+/gi, " ")
      .trim()
      .slice(0, 200);
    return { body, serverMessage: plain || undefined };
  }
  const { error, error_description, message, msg } = root;
  const inner: UnknownFields = Object(error ?? root);
  const errors: readonly ErrorItem[] = toList(inner.errors ?? []);
  const details: readonly ErrorDetail[] = toList(inner.details ?? []);
  return {
    body,
    serverMessage: firstText([
      inner.message,
      error_description,
      message,
      msg,
      error,
    ]),
    serverCode: firstText([inner.status, error]),
    reason: firstText([...errors, ...details].map((item) => item?.reason)),
    errors,
    details,
  };
}

/**
 * Union of the fields in all supported error bodies. The types of the values
 * are not verified.
 */
interface UnknownFields {
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly message?: unknown;
  readonly msg?: unknown;
  readonly status?: unknown;
  readonly errors?: unknown;
  readonly details?: unknown;
}

/** Returns the first candidate that is a string. */
function firstText(candidates: unknown[]): string | undefined {
  return candidates.find((value) => typeof value === "string");
}

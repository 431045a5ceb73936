/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * One of the problems in a request. An {@link ApiError} can list several
 * problems.
 */
export interface Problem {
  /** Human-readable message. */
  readonly message: string;
  /** Machine-readable reason, such as `invalidParameter`. */
  readonly reason?: string | undefined;
  /** Error code, for APIs that define error codes. */
  readonly code?: string | undefined;
  /** Name of the invalid parameter, or path of the invalid body member. */
  readonly location?: string | undefined;
  /** Part of the request that contains the invalid value. */
  readonly locationType?: "parameter" | "header" | "body" | undefined;
}

/** Details of an error in addition to its status and message. */
export interface ErrorExtras {
  /** Machine-readable reason. Default: the standard reason of the status. */
  readonly reason?: string | undefined;
  /** Canonical code, such as `NOT_FOUND`. Default: the code of the status. */
  readonly code?: string | undefined;
  /** List of all problems, if a request has several. */
  readonly problems?: readonly Problem[] | undefined;
  /** Typed details for the error body. Each has a member `@type`. */
  readonly details?: readonly object[] | undefined;
  /** Response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Cause of the error, for logs; never sent to callers. */
  readonly cause?: unknown;
  /**
   * Set only on errors that the runtime creates. The API description can
   * override the reason and code of these errors. If the value is `standard`,
   * it can also override the message.
   */
  readonly detectedAs?: "standard" | "specific" | undefined;
}

/**
 * Creates an error for a problem that the runtime itself detects. The API
 * description can override the message of the error.
 */
export function standardError(
  status: number,
  message: string,
  extras: ErrorExtras = {},
): ApiError {
  return new ApiError(status, message, { ...extras, detectedAs: "standard" });
}

/**
 * Error that is reported to the caller. If a handler or hook throws it, the
 * response has the API's error format. Any other thrown value results in a 500
 * without details.
 */
export class ApiError extends Error {
  /**
   * Constant name. It identifies errors that another copy of this runtime
   * created.
   */
  override readonly name: string = "ApiError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Details in addition to the status and message. */
  readonly extras: ErrorExtras;

  constructor(status: number, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    this.status = status;
    this.extras = extras;
  }
}

/**
 * Returns the error for a call in a batch that uses a stream, an upload or a
 * download.
 */
export function streamInBatch(): ApiError {
  return new ApiError(
    400,
    "A batch must not contain uploads, downloads or streams.",
  );
}

/** Map from HTTP status to canonical code and standard reason. */
const STANDARD_CODES: Readonly<
  Record<number, readonly [code: string, reason: string]>
> = {
  400: ["INVALID_ARGUMENT", "badRequest"],
  401: ["UNAUTHENTICATED", "authError"],
  403: ["PERMISSION_DENIED", "forbidden"],
  404: ["NOT_FOUND", "notFound"],
  405: ["UNIMPLEMENTED", "httpMethodNotAllowed"],
  409: ["ABORTED", "conflict"],
  410: ["NOT_FOUND", "deleted"],
  412: ["FAILED_PRECONDITION", "conditionNotMet"],
  413: ["INVALID_ARGUMENT", "uploadTooLarge"],
  415: ["INVALID_ARGUMENT", "unsupportedMediaType"],
  416: ["OUT_OF_RANGE", "requestedRangeNotSatisfiable"],
  429: ["RESOURCE_EXHAUSTED", "rateLimitExceeded"],
  499: ["CANCELLED", "clientClosedRequest"],
  500: ["INTERNAL", "internalError"],
  501: ["UNIMPLEMENTED", "notImplemented"],
  503: ["UNAVAILABLE", "backendError"],
  504: ["DEADLINE_EXCEEDED", "deadlineExceeded"],
};

/** Returns the canonical code of a status, such as `NOT_FOUND`. */
export function codeOf(status: number): string {
  return (
    STANDARD_CODES[status]?.[0] ??
    (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL")
  );
}

/** Returns the standard reason of a status, such as `notFound`. */
export function reasonOf(status: number): string {
  return (
    STANDARD_CODES[status]?.[1] ??
    (status < 500 ? "badRequest" : "backendError")
  );
}

/**
 * Creates an error for invalid parameters or bodies. The error lists all
 * problems; its message is the message of the first problem.
 */
export function invalid(
  problems: readonly Problem[],
  status: number = 400,
): ApiError {
  return new ApiError(status, problems[0]?.message ?? "Invalid request.", {
    detectedAs: "specific",
    reason: problems[0]?.reason,
    problems,
    details: [violations(problems)],
  });
}

function violations(problems: readonly Problem[]): object {
  return {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: problems.map(({ location, message }) => ({
      ...(location === undefined ? {} : { field: location }),
      description: message,
    })),
  };
}

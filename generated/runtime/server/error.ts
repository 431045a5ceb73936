/* eslint-disable */
// biome-ignore-all lint: generated

/** One error in a request; a failure may have several. */
export interface Problem {
  /** Message for people. */
  readonly message: string;
  /** Machine-readable class, such as `invalidParameter`. */
  readonly reason?: string | undefined;
  /** Error code as a single word, for APIs that define such codes. */
  readonly code?: string | undefined;
  /** Name of the invalid parameter, or path of the invalid body member. */
  readonly location?: string | undefined;
  /** Kind of `location`. */
  readonly locationType?: "parameter" | "header" | "body" | undefined;
}

/** Details of an error besides its status and message. */
export interface ErrorExtras {
  /** Machine-readable class; default: the standard reason of the status. */
  readonly reason?: string | undefined;
  /** Canonical code such as `NOT_FOUND`; default: the code of the status. */
  readonly code?: string | undefined;
  /** Individual errors, if there are several. */
  readonly problems?: readonly Problem[] | undefined;
  /** Typed details for the envelope, each with `@type`. */
  readonly details?: readonly object[] | undefined;
  /** Response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Cause for the log; never sent to callers. */
  readonly cause?: unknown;
  /**
   * Set on errors that the runtime itself raises. Texts in the description
   * replace the message of a `standard` error, and the reason and code of both
   * kinds.
   */
  readonly detectedAs?: "standard" | "specific" | undefined;
}

/**
 * Creates an error of the runtime whose message the description may replace.
 */
export function standardError(
  status: number,
  message: string,
  extras: ErrorExtras = {},
): ApiError {
  return new ApiError(status, message, { ...extras, detectedAs: "standard" });
}

/**
 * Error that is reported to the caller. Thrown by a handler or a hook, it
 * becomes the API's error envelope; any other thrown value becomes a 500
 * without details.
 */
export class ApiError extends Error {
  /**
   * Constant name, so that errors of other copies of this runtime are
   * recognized.
   */
  override readonly name: string = "ApiError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Details besides the status and message. */
  readonly extras: ErrorExtras;

  constructor(status: number, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    this.status = status;
    this.extras = extras;
  }
}

/**
 * Error for a call in a batch whose response is a stream, or that accepts or
 * returns media.
 */
export function streamInBatch(): ApiError {
  return new ApiError(
    400,
    "A batch must not contain uploads, downloads or streams.",
  );
}

/** Canonical code and standard reason by status. */
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
 * Creates an error for invalid parameters or bodies. Its message is that of the
 * first problem; all problems are listed.
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

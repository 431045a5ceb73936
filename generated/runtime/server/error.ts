/* eslint-disable */
// biome-ignore-all lint: generated

/** One thing that is wrong with a request; a failure can have several. */
export interface Problem {
  /** Text for people. */
  readonly message: string;
  /** Machine-readable class, such as `invalidParameter`. */
  readonly reason?: string | undefined;
  /** The failure as one word, for APIs that have such codes. */
  readonly code?: string | undefined;
  /** The parameter, or the path of the body's member, at fault. */
  readonly location?: string | undefined;
  /** What `location` is. */
  readonly locationType?: "parameter" | "header" | "body" | undefined;
}

/** What an error says beyond its status and message. */
export interface ErrorExtras {
  /** Machine-readable class; default: the usual one of the status. */
  readonly reason?: string | undefined;
  /** Canonical code such as `NOT_FOUND`; default: that of the status. */
  readonly code?: string | undefined;
  /** The single problems, where there are several. */
  readonly problems?: readonly Problem[] | undefined;
  /** Typed details of the envelope, each with its `@type`. */
  readonly details?: readonly object[] | undefined;
  /** Headers of the answer, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For the log only; callers never see it. */
  readonly cause?: unknown;
  /**
   * Set where the server itself found the failure: the description's own words
   * go before those that are `usual`, and before all other extras.
   */
  readonly detectedAs?: "standard" | "specific" | undefined;
}

/** A failure that the server itself found, in words that a description may replace. */
export function standardError(
  status: number,
  message: string,
  extras: ErrorExtras = {},
): ApiError {
  return new ApiError(status, message, { ...extras, detectedAs: "standard" });
}

/**
 * A failure that callers may know of: thrown by a handler or a hook, it becomes
 * the API's error envelope. Anything else that is thrown becomes a bare 500.
 */
export class ApiError extends Error {
  /** `ApiError`, also in other copies of this runtime. */
  override readonly name: string = "ApiError";
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** What it says beyond that. */
  readonly extras: ErrorExtras;

  constructor(status: number, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    this.status = status;
    this.extras = extras;
  }
}

/** The failure of a call whose response is a stream, or takes or gives media. */
export function streamInBatch(): ApiError {
  return new ApiError(
    400,
    "Uploads, downloads and streams must not be called in a batch.",
  );
}

/** Canonical code and usual reason by status. */
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

/** The canonical code of a status, such as `NOT_FOUND`. */
export function codeOf(status: number): string {
  return (
    STANDARD_CODES[status]?.[0] ??
    (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL")
  );
}

/** The usual reason of a status, such as `notFound`. */
export function reasonOf(status: number): string {
  return (
    STANDARD_CODES[status]?.[1] ??
    (status < 500 ? "badRequest" : "backendError")
  );
}

/** A failure about parameters or the body: the first problem's words, and all of them listed. */
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

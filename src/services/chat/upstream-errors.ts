import { ApiError } from "../../../generated/runtime/server/index.js";
import { isObject } from "../../diagnostics/json.js";
import type { UpstreamConfig } from "./upstream-config.js";

/** Sanitized members of a backend's error body, which is not trusted. */
interface BackendErrorBody {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
  readonly param?: string | undefined;
  readonly code?: string | undefined;
}

/** HTTP statuses of backend errors that were caused by the caller's request. */
const REQUEST_ERRORS = new Set([400, 409, 413, 422]);

/**
 * HTTP statuses of backend errors that were caused by the config of this
 * service. A retry would fail again.
 */
const CONFIG_ERRORS = new Set([401, 402, 403, 404, 405, 407]);

/** Converts an error response of a backend to an error for the caller. */
export function upstreamFailure(
  status: number,
  headers: Headers,
  body: unknown,
  config: UpstreamConfig,
): ApiError {
  const errorBody = readErrorBody(body, config);
  if (REQUEST_ERRORS.has(status))
    return forwardError(status, errorBody, "The backend rejected the request.");
  if (status === 429)
    return forwardError(
      429,
      { ...errorBody, param: undefined },
      "The backend's rate limit is reached.",
      retryHeaders(headers),
    );
  if (status === 503)
    return backendError(
      503,
      "The backend is overloaded.",
      retryHeaders(headers),
    );
  if (status === 408 || status === 504)
    return backendError(
      504,
      "The backend did not respond within the timeout.",
      retryHeaders(headers),
    );
  if (CONFIG_ERRORS.has(status) || status < 400)
    return backendError(
      502,
      "The backend can't be used with the current configuration.",
      {
        "x-should-retry": "false",
      },
      `upstream status ${status}`,
    );
  return backendError(
    502,
    "The backend returned an error.",
    retryHeaders(headers),
    `upstream status ${status}`,
  );
}

function forwardError(
  status: number,
  { message, type, param, code }: BackendErrorBody,
  fallback: string,
  headers: Record<string, string> = {},
): ApiError {
  const text = message ?? fallback;
  return new ApiError(status, text, {
    reason: type,
    code,
    problems:
      param === undefined ? undefined : [{ message: text, location: param }],
    headers,
  });
}

/**
 * Returns the error for a failure of the backend. Callers receive no details;
 * only the log contains `cause`.
 */
export function backendError(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  cause?: string,
): ApiError {
  return new ApiError(status, message, {
    reason: "server_error",
    code: "upstream_error",
    headers,
    cause,
  });
}

/**
 * Converts an error event in a stream to an error. The HTTP status of this
 * error matters only before the first chunk, because the response headers are
 * sent with the first chunk.
 */
export function eventFailure(body: unknown, config: UpstreamConfig): ApiError {
  const { message, type, param, code } = readErrorBody(body, config);
  const isOverload =
    code === "rate_limit_exceeded" || code === "insufficient_quota";
  return forwardError(
    isOverload ? 429 : 502,
    { message, type: type ?? "server_error", param, code },
    "The backend returned an error.",
  );
}

const RETRY = ["retry-after", "retry-after-ms", "x-should-retry"];

/**
 * Returns the response headers that control retries, such as `retry-after`.
 * Headers with invalid values are omitted.
 */
function retryHeaders(headers: Headers): Record<string, string> {
  const headerValues = RETRY.map(
    (name) => [name, headers.get(name) ?? ""] as const,
  );
  return Object.fromEntries(
    headerValues.filter(([, value]) => /^[A-Za-z0-9 ,:.+-]{1,64}$/.test(value)),
  );
}

/**
 * Returns the object in a response body that contains the error's members: the
 * member `error`, or the body itself.
 */
function errorMembersOf(body: unknown): Record<string, unknown> | undefined {
  if (!isObject(body)) return undefined;
  const { error, message, detail } = body;
  if (isObject(error)) return error;
  if (typeof error === "string" && typeof message !== "string")
    return { ...body, message: error };
  if (typeof message === "string") return body;
  return typeof detail === "string" ? { ...body, message: detail } : undefined;
}

function readErrorBody(
  body: unknown,
  config: UpstreamConfig,
): BackendErrorBody {
  const error = errorMembersOf(body);
  if (error === undefined) return {};
  const { message, type, param, code } = error;
  return {
    message: safeText(message, 2000, config),
    type: safeCode(type, config),
    param: safeText(param, 200, config),
    code: safeCode(code, config),
  };
}

function safeCode(value: unknown, config: UpstreamConfig): string | undefined {
  const text = safeText(value, 64, config);
  return text !== undefined && /^[\w.-]+$/.test(text) ? text : undefined;
}

/**
 * Returns a string, truncated to the limit; undefined if the string contains
 * a secret or the host of the backend.
 */
function safeText(
  value: unknown,
  limit: number,
  { secrets }: UpstreamConfig,
): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const isRevealed = secrets.some((secret) => value.includes(secret));
  return isRevealed ? undefined : value.slice(0, limit);
}

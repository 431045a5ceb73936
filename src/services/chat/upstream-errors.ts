import { ApiError } from "../../../generated/runtime/server/index.js";
import { isObject } from "../../diagnostics/json.js";
import type { UpstreamConfig } from "./upstream-config.js";

/** What of a failure's body may be passed on, all of it hostile text. */
interface Told {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
  readonly param?: string | undefined;
  readonly code?: string | undefined;
}

/** Statuses that speak of the caller's request, not of how this service asks. */
const CALLERS = new Set([400, 409, 413, 422]);

/** Statuses that come of this service's own settings: nobody need try again. */
const SETTINGS = new Set([401, 402, 403, 404, 405, 407]);

/** The failure that a back end's answer is to the caller. */
export function upstreamFailure(
  status: number,
  headers: Headers,
  body: unknown,
  config: UpstreamConfig,
): ApiError {
  const told = toldBy(body, config);
  if (CALLERS.has(status))
    return passedOn(status, told, "The back end refused the request.");
  if (status === 429)
    return passedOn(
      429,
      { ...told, param: undefined },
      "The back end's rate limit is reached.",
      retryHeaders(headers),
    );
  if (status === 503)
    return failed(503, "The back end is overloaded.", retryHeaders(headers));
  if (status === 408 || status === 504)
    return failed(504, "The back end took too long.", retryHeaders(headers));
  if (SETTINGS.has(status) || status < 400)
    return failed(
      502,
      "The back end could not be used.",
      {
        "x-should-retry": "false",
      },
      `upstream status ${status}`,
    );
  return failed(
    502,
    "The back end failed.",
    retryHeaders(headers),
    `upstream status ${status}`,
  );
}

function passedOn(
  status: number,
  { message, type, param, code }: Told,
  otherwise: string,
  headers: Record<string, string> = {},
): ApiError {
  const text = message ?? otherwise;
  return new ApiError(status, text, {
    reason: type,
    code,
    problems:
      param === undefined ? undefined : [{ message: text, location: param }],
    headers,
  });
}

/** A failure of the back end, of which callers learn no more. */
export function failed(
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

/** The failure that an event of a stream tells of; the status counts only before the first chunk. */
export function eventFailure(body: unknown, config: UpstreamConfig): ApiError {
  const { message, type, param, code } = toldBy(body, config);
  const isOverload =
    code === "rate_limit_exceeded" || code === "insufficient_quota";
  return passedOn(
    isOverload ? 429 : 502,
    { message, type: type ?? "server_error", param, code },
    "The back end failed.",
  );
}

const RETRY = ["retry-after", "retry-after-ms", "x-should-retry"];

/** Headers that tell when to try again, if they are what they should be. */
function retryHeaders(headers: Headers): Record<string, string> {
  const found = RETRY.map((name) => [name, headers.get(name) ?? ""] as const);
  return Object.fromEntries(
    found.filter(([, value]) => /^[A-Za-z0-9 ,:.+-]{1,64}$/.test(value)),
  );
}

/** The failure in a body: an object, a text, or the body itself, whose members are flat. */
function errorIn(body: unknown): Record<string, unknown> | undefined {
  if (!isObject(body)) return undefined;
  const { error, message, detail } = body;
  if (isObject(error)) return error;
  if (typeof error === "string" && typeof message !== "string")
    return { ...body, message: error };
  if (typeof message === "string") return body;
  return typeof detail === "string" ? { ...body, message: detail } : undefined;
}

function toldBy(body: unknown, config: UpstreamConfig): Told {
  const error = errorIn(body);
  if (error === undefined) return {};
  const { message, type, param, code } = error;
  return {
    message: harmless(message, 2000, config),
    type: word(type, config),
    param: harmless(param, 200, config),
    code: word(code, config),
  };
}

function word(value: unknown, config: UpstreamConfig): string | undefined {
  const text = harmless(value, 64, config);
  return text !== undefined && /^[\w.-]+$/.test(text) ? text : undefined;
}

/** A text, unless it tells the back end's key or where the back end is. */
function harmless(
  value: unknown,
  limit: number,
  { key, url }: UpstreamConfig,
): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const { hostname } = new URL(url);
  const secrets =
    key === undefined ? [hostname] : [hostname, key, key.slice(0, 12)];
  const isTold = secrets.some((secret) => value.includes(secret));
  return isTold ? undefined : value.slice(0, limit);
}

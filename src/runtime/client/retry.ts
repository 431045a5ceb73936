import type { Auth } from "./auth.js";
import type { Attempt, Invocation } from "./contract.js";
import { ApiError, toApiError } from "./error.js";
import { withTimeout } from "./with-timeout.js";
import type { RetryEvent } from "./options.js";
import { refreshAuth } from "./refresh-auth.js";
import type { ApiRequest } from "./request.js";

/** When failed calls are tried again. */
export interface RetryOptions {
  /** Attempts at most, the first included. Default: 4. */
  readonly attempts?: number | undefined;
  /** Milliseconds for all attempts and pauses; none begins later. Default: 60,000. */
  readonly budget?: number | undefined;
  /**
   * Milliseconds of the longest first pause; the limit doubles each time and
   * the pause is random below it (full jitter). Default: 1,000.
   */
  readonly delay?: number | undefined;
  /** Milliseconds of the longest pause that is not the server's wish. Default: 32,000. */
  readonly maxDelay?: number | undefined;
  /**
   * Whether to repeat POST and PATCH as well, which may then be done twice.
   * Default: only methods that are idempotent in HTTP.
   */
  readonly unsafe?: boolean | undefined;
  /** Milliseconds for one attempt; the next one begins then. Default: no limit. */
  readonly attemptTimeout?: number | undefined;
  /** Whether an error is worth another attempt. Default: {@link isTransient}. */
  readonly when?: ((error: ApiError) => boolean) | undefined;
  /** Called before each pause. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/**
 * Whether an error may go away by itself: status 408, 429, 5xx, 403 with a
 * rate limit as its reason, no or broken answer, an attempt out of time. A
 * server that says itself whether to try again (`x-should-retry`) is right.
 */
export function isTransient(error: ApiError): boolean {
  const { kind, status, reason, headers } = error;
  if (kind === "network" || kind === "timeout") return true;
  if (kind !== "http") return false;
  const wish = headers?.get("x-should-retry");
  if (wish) return wish === "true";
  if (status === 403)
    return /^(userR|r)ateLimitExceeded$|^RATE_L/.test(reason!);
  return status === 408 || status === 429 || status! > 499;
}

/**
 * Milliseconds until the next attempt: what the server says (`retry-after-ms`,
 * `retry-after` in seconds or as a date), else random below a limit that
 * doubles each time.
 */
export function retryDelay(
  { headers }: ApiError,
  attempt: number,
  { delay = 1000, maxDelay = 32_000 }: RetryOptions,
): number {
  const exact = headers?.get("retry-after-ms");
  const after = headers?.get("retry-after") ?? "";
  const wish = /^\d+$/.test(after)
    ? Number(after) * 1000
    : Date.parse(after) - Date.now();
  if (exact && Number(exact) >= 0) return Number(exact);
  if (wish >= 0) return wish;
  return Math.random() * Math.min(maxDelay, delay * 2 ** (attempt - 1));
}

/** Milliseconds that do not jump where there is such a clock, as nearly everywhere. */
export function now(): number {
  return (globalThis.performance ?? Date).now();
}

/** Waits, but not longer than the signal; leaves no timer behind. */
export function sleep(
  milliseconds: number,
  signal: AbortSignal | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

/** The settings of a call; `undefined` if it may not be repeated. */
export function retryOptions({
  client,
  options,
}: Invocation): RetryOptions | undefined {
  const { retry: all = {} } = client.options;
  const { retry: own = all } = options;
  if (own === false) return undefined;
  return own === all ? own : { ...all, ...own };
}

/**
 * Repeats what fails: idempotent methods after errors that may go away, and
 * any method once after a 401, with a fresh token. Bodies that can be sent but
 * once are not repeated.
 */
export async function retry<T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
): Promise<T> {
  const options = retryOptions(call);
  const { attemptTimeout: timeout } = options ?? {};
  const { facts, init } = request;
  const start = now();
  const inOwnTime = () =>
    withTimeout(
      { ...call, options: { signal: init.signal!, timeout } },
      (signal) => attempt({ ...request, init: { ...init, signal } }),
      true,
      facts,
    );
  let renewed = false;
  for (let count = 1; ; count++) {
    try {
      return await (timeout ? inOwnTime() : attempt(request));
    } catch (thrown) {
      init.signal?.throwIfAborted();
      const error = toApiError(thrown, init.signal, facts);
      const { budget = 60_000, onRetry } = options ?? {};
      const fresh: Auth | false | undefined =
        error.status === 401 && !renewed && (await refreshAuth(call, error));
      const again = options && mayRepeat(options, init.method, count, error);
      // A body that is a stream can be sent but once.
      if ("duplex" in init || !(fresh || again)) throw error;
      const delay = fresh ? 0 : retryDelay(error, count, options ?? {});
      if (now() + delay > start + budget) throw error;
      onRetry?.({ error, attempt: count, delay });
      await sleep(delay, init.signal);
      if (fresh) request = { ...request, credentials: fresh };
      renewed ||= !!fresh;
      Object.assign(facts, CLEARED);
    }
  }
}

/** Whether a method can be repeated without being done twice (RFC 9110 §9.2.2). */
export function isIdempotent(method: string): boolean {
  return !/^P(OST|ATCH)$/.test(method);
}

/** Whether the settings of a call allow another attempt after an error. */
function mayRepeat(
  { attempts = 4, unsafe, when = isTransient }: RetryOptions,
  method: string,
  count: number,
  error: ApiError,
): boolean {
  return (unsafe || isIdempotent(method)) && count < attempts && when(error);
}

/** Facts before an attempt. */
const CLEARED = {
  kind: "request",
  status: undefined,
  headers: undefined,
  body: undefined,
};

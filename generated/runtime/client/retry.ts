/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth } from "./auth.js";
import type { Attempt, Invocation } from "./contract.js";
import { ApiError, toApiError } from "./error.js";
import type { RetryOptions } from "./options.js";
import { refreshAuth } from "./refresh-auth.js";
import type { ApiRequest } from "./request.js";

/**
 * Tests whether an error is transient: status 408, 429 or 5xx, status 403
 * because of a rate limit, a missing or incomplete response, or the timeout of
 * an attempt. The `x-should-retry` response header takes precedence.
 */
export function isTransient(error: ApiError): boolean {
  const { kind, status, reason, headers } = error;
  if (kind === "network" || kind === "timeout") return true;
  if (kind !== "http") return false;
  const requested = headers?.get("x-should-retry");
  if (requested) return requested === "true";
  if (status === 403)
    return /^(userR|r)ateLimitExceeded$|^RATE_L/.test(reason!);
  return status === 408 || status === 429 || status! > 499;
}

/**
 * Returns the milliseconds until the next attempt: the retry delay requested by
 * the server (`retry-after-ms`, or `retry-after` in seconds or as a date), or a
 * random delay below a limit that doubles with each attempt.
 */
export function retryDelay(
  { headers }: ApiError,
  attempt: number,
  { delay = 1000, maxDelay = 32_000 }: RetryOptions,
): number {
  const after = headers?.get("retry-after");
  const requested = [
    Number(headers?.get("retry-after-ms") || NaN),
    Number(after || NaN) * 1000,
    Date.parse(after!) - Date.now(),
  ].find((milliseconds) => milliseconds >= 0);
  return (
    requested ?? Math.random() * Math.min(maxDelay, delay * 2 ** (attempt - 1))
  );
}

/**
 * Returns the current time in milliseconds, from a monotonic clock if the
 * platform provides one.
 */
export function now(): number {
  return (globalThis.performance ?? Date).now();
}

/**
 * Waits for a delay. If the signal is aborted, clears the timer and rejects
 * with the reason of the abort.
 */
export function sleep(
  milliseconds: number,
  signal: AbortSignal | null | undefined,
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

/**
 * Returns the retry settings of a call; `undefined` if retries are disabled.
 */
export function retryOptions({
  client,
  options,
}: Invocation): RetryOptions | undefined {
  const { retry: common } = client.options;
  const { retry: own = common } = options;
  return own === false ? undefined : { ...common, ...own };
}

/**
 * Retries failed attempts: idempotent methods after transient errors, and any
 * method once after status 401, with refreshed credentials. Requests whose body
 * is a stream are not retried.
 */
export async function retry<T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
): Promise<T> {
  const options = retryOptions(call);
  const settings = options ?? {};
  const { attemptTimeout: timeout, budget = 60_000, onRetry } = settings;
  const { facts, init } = request;
  const start = now();
  const attemptWithTimeout = () =>
    call.client.withTimeout(
      { ...call, options: { signal: init.signal!, timeout } },
      (signal) => attempt({ ...request, init: { ...init, signal } }),
      true,
      facts,
    );
  let isRefreshed = false;
  for (let count = 1; ; count++) {
    try {
      return await (timeout ? attemptWithTimeout() : attempt(request));
    } catch (thrown) {
      init.signal?.throwIfAborted();
      const error = toApiError(thrown, init.signal, facts);
      const refreshed: Auth | false | undefined =
        error.status === 401 &&
        !isRefreshed &&
        (await refreshAuth(call, error));
      const isAllowed =
        options && mayRepeat(options, init.method, count, error);
      // A request body that is a stream can be sent only once.
      if ("duplex" in init || !(refreshed || isAllowed)) throw error;
      const delay = refreshed ? 0 : retryDelay(error, count, settings);
      if (now() + delay > start + budget) throw error;
      onRetry?.({ error, attempt: count, delay });
      await sleep(delay, init.signal);
      if (refreshed) {
        request = { ...request, credentials: refreshed };
        isRefreshed = true;
      }
      Object.assign(facts, CLEARED);
    }
  }
}

/** Tests whether an HTTP method is idempotent (RFC 9110 §9.2.2). */
export function isIdempotent(method: string): boolean {
  return !/^P(OST|ATCH)$/.test(method);
}

/**
 * Tests whether the retry settings of a call allow another attempt after an
 * error.
 */
export function mayRepeat(
  { attempts = 4, unsafe, when = isTransient }: RetryOptions,
  method: string,
  count: number,
  error: ApiError,
): boolean {
  return (unsafe || isIdempotent(method)) && count < attempts && when(error);
}

/**
 * Initial values of the error properties that are reset at the start of each
 * attempt.
 */
export const CLEARED: object = {
  kind: "request",
  status: undefined,
  headers: undefined,
  body: undefined,
};

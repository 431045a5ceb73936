/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  Auth,
  Credentials,
  HeadersProvider,
  TokenSource,
} from "./auth.js";
import type { Attempt, Invocation } from "./contract.js";
import { ApiError, toApiError } from "./error.js";
import type { RetryOptions } from "./options.js";
import type { ApiRequest } from "./request.js";

/**
 * Tests whether an error is transient. Transient errors are status 408, 429 and
 * 5xx, status 403 for a rate limit, missing or incomplete responses, and
 * timeouts of attempts. The `x-should-retry` response header takes precedence.
 */
export function isTransient(error: ApiError): boolean {
  const { kind, status, reason, headers } = error;
  if (kind !== "http") return kind === "network" || kind === "timeout";
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
    +(headers?.get("retry-after-ms") || NaN),
    +(after || NaN) * 1000,
    Date.parse(after!) - Date.now(),
  ].find((milliseconds) => milliseconds >= 0);
  return (
    requested ?? Math.random() * Math.min(maxDelay, delay * 2 ** (attempt - 1))
  );
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
 * Returns the retry settings of a call. If retries are disabled, only one
 * attempt is allowed.
 */
export function retryOptions({ client, options }: Invocation): RetryOptions {
  const { retry: common } = client.options;
  const { retry: own = common } = options;
  return own === false ? { attempts: 1 } : { ...common, ...own };
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
  const {
    attempts = 4,
    attemptTimeout: timeout,
    budget = 60_000,
    unsafe,
    when = isTransient,
    onRetry,
  } = options;
  const { context, init } = request;
  const start = performance.now();
  const attemptWithTimeout = () =>
    call.client.withTimeout(
      { ...call, options: { signal: init.signal!, timeout } },
      (signal) => attempt({ ...request, init: { ...init, signal } }),
      true,
      context,
    );
  for (let count = 1; ; count++) {
    context.attempts = count;
    try {
      return await (timeout ? attemptWithTimeout() : attempt(request));
    } catch (thrown) {
      init.signal?.throwIfAborted();
      const error = toApiError(thrown, init.signal, context);
      const credentials =
        error.status === 401 &&
        !request.credentials &&
        (await refreshAuth(call, error));
      // A request body that is a stream can be sent only once.
      if (
        "duplex" in init ||
        !(
          credentials ||
          ((unsafe || !/^P(OST|ATCH)$/.test(init.method)) &&
            count < attempts &&
            when(error))
        )
      )
        throw error;
      const delay = credentials ? 0 : retryDelay(error, count, options);
      if (performance.now() + delay > start + budget) throw error;
      onRetry?.({ error, attempt: count, delay });
      await sleep(delay, init.signal);
      if (credentials) request = { ...request, credentials };
      Object.assign(context, CLEARED);
    }
  }
}

/**
 * Properties of a call's error that are reset before each attempt, with their
 * initial values.
 */
export const CLEARED: object = {
  kind: "request",
  status: undefined,
  headers: undefined,
  body: undefined,
};

/**
 * Members of the credential classes of google-auth-library that are used here.
 */
interface GoogleCredential extends HeadersProvider {
  /**
   * Resolves to the underlying credential object. Only the class `GoogleAuth`
   * has this method.
   */
  getClient?(): Promise<GoogleCredential>;
  /**
   * Replaces the cached access token. Every credential class has this method,
   * but some declare it as protected.
   */
  refreshAccessTokenAsync?(): Promise<unknown>;
  readonly refreshHandler?: unknown;
  readonly credentials?: { refresh_token?: unknown; expiry_date?: unknown };
}

/**
 * Returns credentials that do not use cached tokens, for a request that was
 * rejected with status 401; `undefined` for an anonymous call. If refreshing
 * the token fails, the error's `cause` contains the message of the failure.
 * Other properties of the failure are dropped, because they can contain
 * secrets.
 */
export async function refreshAuth(
  { client }: Invocation,
  error: ApiError,
): Promise<Auth | undefined> {
  const auth: TokenSource | GoogleCredential | Credentials | undefined =
    client.options.auth;
  if (typeof auth === "function") return () => auth({ refresh: true });
  if (typeof auth !== "object") return undefined;
  if ("renewed" in auth && auth.renewed) return auth.renewed();
  try {
    if ("headers" in auth) {
      await auth.refresh();
      return auth;
    }
    const source = (await auth.getClient?.()) ?? auth;
    const { credentials, refreshHandler } = source;
    if (refreshHandler && credentials && !credentials.refresh_token)
      credentials.expiry_date = 1; // expired: getRequestHeaders calls the handler
    else await source.refreshAccessTokenAsync?.();
    return auth;
  } catch (thrown) {
    const cause = Error((thrown as Error | undefined)?.message);
    return void Object.assign(error, { cause });
  }
}

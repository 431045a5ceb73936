/* eslint-disable */
// biome-ignore-all lint: generated

import type { Attempt, Client, Invocation } from "./contract.js";
import { toApiError } from "./error.js";
import type { RetryOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import {
  CLEARED,
  isTransient,
  retryDelay,
  retryOptions,
  sleep,
} from "./retry.js";
import { hideOptions } from "./send.js";

/**
 * Returns a copy of a client of `createBareClient` that retries failed attempts
 * of idempotent methods after transient errors, for small bundles. Unlike a
 * client of `createClient`, it does not renew credentials after status 401, and
 * `attemptTimeout` has no effect. Retry settings of a call override these.
 */
export function withRetries(
  client: Client,
  settings: Omit<RetryOptions, "attemptTimeout"> = {},
): Client {
  return hideOptions(
    { ...client.options, retry: settings },
    { ...client, retry: repeat },
  );
}

/**
 * Repeats failed attempts as `retry` does. Refreshed credentials and attempt
 * timeouts are not supported, because they would add 0.1 kB to a bundle.
 */
async function repeat<T>(
  attempt: Attempt<T>,
  request: ApiRequest,
  call: Invocation,
): Promise<T> {
  const options = retryOptions(call);
  const {
    attempts = 4,
    budget = 60_000,
    unsafe,
    when = isTransient,
    onRetry,
  } = options;
  const { facts, init } = request;
  const start = performance.now();
  for (let count = 1; ; count++)
    try {
      return await attempt(request);
    } catch (thrown) {
      init.signal?.throwIfAborted();
      const error = toApiError(thrown, init.signal, facts);
      const delay = retryDelay(error, count, options);
      // A request with a stream as body can be sent only once.
      if (
        "duplex" in init ||
        (!unsafe && /^P(OST|ATCH)$/.test(init.method)) ||
        count >= attempts ||
        !when(error) ||
        performance.now() + delay > start + budget
      )
        throw error;
      onRetry?.({ error, attempt: count, delay });
      await sleep(delay, init.signal);
      Object.assign(facts, CLEARED);
    }
}

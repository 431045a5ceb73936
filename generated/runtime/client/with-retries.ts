/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client } from "./contract.js";
import { toApiError } from "./error.js";
import type { RetryOptions } from "./options.js";
import {
  CLEARED,
  mayRepeat,
  now,
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
    {
      ...client,
      async retry(attempt, request, call) {
        const options = retryOptions(call);
        const { facts, init } = request;
        const start = now();
        for (let count = 1; ; count++) {
          try {
            return await attempt(request);
          } catch (thrown) {
            init.signal?.throwIfAborted();
            const error = toApiError(thrown, init.signal, facts);
            // A request with a stream as body can be sent only once.
            if (
              !options ||
              "duplex" in init ||
              !mayRepeat(options, init.method, count, error)
            )
              throw error;
            const { budget = 60_000, onRetry } = options;
            const delay = retryDelay(error, count, options);
            if (now() + delay > start + budget) throw error;
            onRetry?.({ error, attempt: count, delay });
            await sleep(delay, init.signal);
            Object.assign(facts, CLEARED);
          }
        }
      },
    },
  );
}

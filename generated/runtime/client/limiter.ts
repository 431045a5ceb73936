/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiError } from "./error.js";
import type { Interceptor } from "./options.js";
import { retryDelay, sleep } from "./retry.js";

/** Limits of a quota. */
export interface LimiterOptions {
  /**
   * Maximum number of requests per second. Requests start at even intervals.
   * Default: no limit.
   */
  readonly perSecond?: number | undefined;
  /**
   * Maximum number of requests that wait for a response. Default: no limit.
   */
  readonly concurrency?: number | undefined;
  /**
   * Longest pause in milliseconds that a server can request with `retry-after`.
   * Default: 60,000.
   */
  readonly maxPause?: number | undefined;
}

/**
 * Creates an interceptor that delays requests so that they stay below a quota.
 * After a response with status 429 or 503 and `retry-after`, all requests wait.
 * Clients with the same interceptor share the quota. Attempts of retries count as
 * requests; the time that a request waits is part of the timeout of its call.
 *
 *     const quota = limiter({ perSecond: 10, concurrency: 5 });
 *     createDrive({ interceptors: [quota] });
 *
 * @throws RangeError for limits that are not positive.
 */
export function limiter({
  perSecond = Infinity,
  concurrency = Infinity,
  maxPause = 60_000,
}: LimiterOptions): Interceptor {
  for (const [name, value] of Object.entries({ perSecond, concurrency }))
    if (!(value > 0)) throw new RangeError(`${name} must be more than 0`);
  const waiting: (() => void)[] = [];
  let active = 0;
  let nextStart = 0;
  let pausedUntil = 0;

  /** Resolves when fewer than `concurrency` requests are in flight. */
  const acquire = async (signal: AbortSignal | null): Promise<void> => {
    while (active >= concurrency)
      await new Promise<void>((resolve, reject) => {
        const resume = () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const stop = () => {
          waiting.splice(waiting.indexOf(resume), 1);
          reject(signal!.reason);
        };
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", stop, { once: true });
        waiting.push(resume);
      });
    active++;
  };

  /** Waits for the start that is reserved for the request, and for the end of a pause. */
  const waitForStart = async (signal: AbortSignal | null): Promise<void> => {
    const start = Math.max(performance.now(), nextStart, pausedUntil);
    nextStart = start + 1000 / perSecond;
    let delay = start - performance.now();
    while (delay > 0) {
      await sleep(delay, signal);
      delay = pausedUntil - performance.now();
    }
  };

  return async (request, next) => {
    const signal = request.init.signal ?? null;
    await acquire(signal);
    try {
      await waitForStart(signal);
      const response = await next(request);
      if (response.status === 429 || response.status === 503) {
        const { headers } = response;
        const pause = retryDelay({ headers } as ApiError, 1, { delay: 0 });
        const end = performance.now() + Math.min(pause, maxPause);
        pausedUntil = Math.max(pausedUntil, end);
      }
      return response;
    } finally {
      active--;
      waiting.shift()?.();
    }
  };
}

import { ApiError } from "../../../generated/runtime/server/index.js";
import type { Key } from "./keys.js";
import type { RateLimits } from "./stored-keys.js";

/** Rate limits that apply to a request. */
export interface RequestLimiter {
  /** @throws ApiError 429 if the request limit is reached */
  takeRequest(): Promise<void> | void;
  /**
   * Reserves tokens.
   *
   * @throws ApiError 429 if the token limit is reached
   */
  takeTokens(amount: number): Promise<void> | void;
  /**
   * Corrects a reservation to the number of used tokens. Must be called at most
   * once, after {@link takeTokens}.
   */
  settleTokens(reserved: number, used: number): void;
  /** Returns the state of the limits as `x-ratelimit-*` headers. */
  headers(): Record<string, string>;
}

/** Returns the limiter for a request; undefined if its key has no limits. */
export type LimiterOf = (
  key: Pick<Key, "id" | "limits">,
) => RequestLimiter | undefined;

/**
 * Unit that a bucket counts. Its name is used in headers and error messages.
 */
export type LimitKind = "requests" | "tokens";

/** Length of the period of the limits in milliseconds. */
export const MINUTE = 60_000;

/** Returns the error for a limit that is reached. */
export function limitError(
  kind: LimitKind,
  limit: number,
  amount: number,
  wait: number,
): ApiError {
  const isNeverAllowed = amount > limit;
  const message = isNeverAllowed
    ? `The request is larger than the limit of ${limit} ${kind} per minute.`
    : `Rate limit of ${limit} ${kind} per minute reached.`;
  const milliseconds = Math.max(1, Math.ceil(wait));
  const headers = {
    "retry-after": String(Math.ceil(milliseconds / 1000)),
    "retry-after-ms": String(milliseconds),
    ...(isNeverAllowed ? { "x-should-retry": "false" } : {}),
  };
  return new ApiError(429, message, {
    reason: kind,
    code: "rate_limit_exceeded",
    headers,
  });
}

/** Returns the state of a limit as `x-ratelimit-*` headers. */
export function limitHeaders(
  kind: LimitKind,
  limit: number,
  remaining: number,
  reset: number,
): Record<string, string> {
  return {
    [`x-ratelimit-limit-${kind}`]: String(limit),
    [`x-ratelimit-remaining-${kind}`]: String(
      Math.max(0, Math.floor(remaining)),
    ),
    [`x-ratelimit-reset-${kind}`]: `${(reset / 1000).toFixed(3)}s`,
  };
}

/**
 * Token bucket (rate limiter). An empty bucket is refilled evenly within one
 * minute.
 */
export class Bucket {
  readonly #kind: LimitKind;
  readonly #size: number;
  readonly #now: () => number;
  #level: number;
  #updated: number;

  constructor(kind: LimitKind, size: number, now: () => number) {
    this.#kind = kind;
    this.#size = size;
    this.#now = now;
    this.#level = size;
    this.#updated = now();
  }

  /**
   * Removes an amount from the bucket.
   *
   * @throws ApiError 429 if the bucket contains less
   */
  take(amount: number): void {
    this.#fill();
    if (this.#level < amount)
      throw limitError(this.#kind, this.#size, amount, this.#timeFor(amount));
    this.#level -= amount;
  }

  /**
   * Removes an additional amount from the bucket. A negative amount increases
   * the level of the bucket.
   */
  settle(difference: number): void {
    this.#fill();
    this.#level = Math.min(this.#size, this.#level - difference);
  }

  /** Returns the state of the bucket as `x-ratelimit-*` headers. */
  headers(): Record<string, string> {
    this.#fill();
    const reset = this.#timeFor(this.#size);
    return limitHeaders(this.#kind, this.#size, this.#level, reset);
  }

  /**
   * Returns the milliseconds until an amount is available. If the amount
   * exceeds the size of the bucket, returns the time until the bucket is full.
   */
  #timeFor(amount: number): number {
    const missing = Math.min(amount, this.#size) - this.#level;
    return Math.max(0, (missing / this.#size) * MINUTE);
  }

  #fill(): void {
    const now = this.#now();
    // If the clock was set back, the elapsed time counts as 0.
    const passed = Math.max(0, now - this.#updated);
    this.#updated = now;
    this.#level = Math.min(
      this.#size,
      this.#level + (passed / MINUTE) * this.#size,
    );
  }
}

/** Request bucket and token bucket of an API key, in the memory of a process. */
class KeyBuckets implements RequestLimiter {
  readonly limits: RateLimits;
  readonly #requests: Bucket | undefined;
  readonly #tokens: Bucket | undefined;

  constructor(limits: RateLimits, now: () => number) {
    const { requestsPerMinute: requests, tokensPerMinute: tokens } = limits;
    this.limits = limits;
    if (requests !== undefined)
      this.#requests = new Bucket("requests", requests, now);
    if (tokens !== undefined) this.#tokens = new Bucket("tokens", tokens, now);
  }

  takeRequest(): void {
    this.#requests?.take(1);
  }

  takeTokens(amount: number): void {
    this.#tokens?.take(amount);
  }

  /** The level of the bucket can become negative. */
  settleTokens(reserved: number, used: number): void {
    this.#tokens?.settle(used - reserved);
  }

  headers(): Record<string, string> {
    return { ...this.#requests?.headers(), ...this.#tokens?.headers() };
  }
}

/** Returns limiters that count the requests of this process. */
export function memoryLimits(now: () => number): LimiterOf {
  const buckets = new Map<string, KeyBuckets>();
  return ({ id, limits }) => {
    if (!hasLimits(limits)) return undefined;
    const known = buckets.get(id);
    if (known !== undefined && isSameLimits(known.limits, limits)) return known;
    const created = new KeyBuckets(limits, now);
    buckets.set(id, created);
    return created;
  };
}

export function hasLimits(limits: RateLimits): boolean {
  const { requestsPerMinute, tokensPerMinute } = limits;
  return requestsPerMinute !== undefined || tokensPerMinute !== undefined;
}

function isSameLimits(a: RateLimits, b: RateLimits): boolean {
  return (
    a.requestsPerMinute === b.requestsPerMinute &&
    a.tokensPerMinute === b.tokensPerMinute
  );
}

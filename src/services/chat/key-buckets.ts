import { ApiError } from "../../../generated/runtime/server/index.js";
import { ConfigReader } from "../config-reader.js";

/** Rate limits of an API key per minute; undefined means unlimited. */
export interface KeyLimits {
  readonly requests: number | undefined;
  readonly tokens: number | undefined;
}

const RANGE = { min: 1, max: 1_000_000_000 };

/** Reads the member `limits` of an API key in the config. */
export function readLimits(key: ConfigReader): KeyLimits {
  if (!key.has("limits")) return { requests: undefined, tokens: undefined };
  const reader = new ConfigReader(key.get("limits"), key.pointerOf("limits"), [
    "requestsPerMinute",
    "tokensPerMinute",
  ]);
  return {
    requests: reader.integer("requestsPerMinute", RANGE),
    tokens: reader.integer("tokensPerMinute", RANGE),
  };
}

/**
 * Unit that a bucket counts. Its name is used in headers and error messages.
 */
type LimitKind = "requests" | "tokens";

const MINUTE = 60_000;

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
    if (this.#level < amount) throw this.#limitError(amount);
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
    const kind = this.#kind;
    const reset = this.#timeFor(this.#size);
    return {
      [`x-ratelimit-limit-${kind}`]: String(this.#size),
      [`x-ratelimit-remaining-${kind}`]: String(
        Math.max(0, Math.floor(this.#level)),
      ),
      [`x-ratelimit-reset-${kind}`]: `${(reset / 1000).toFixed(3)}s`,
    };
  }

  #limitError(amount: number): ApiError {
    const reason = this.#kind;
    const isNeverAllowed = amount > this.#size;
    const message = isNeverAllowed
      ? `The request is larger than the limit of ${this.#size} ${reason} per minute.`
      : `Rate limit of ${this.#size} ${reason} per minute reached.`;
    const wait = Math.max(1, Math.ceil(this.#timeFor(amount)));
    const headers = {
      "retry-after": String(Math.ceil(wait / 1000)),
      "retry-after-ms": String(wait),
      ...(isNeverAllowed ? { "x-should-retry": "false" } : {}),
    };
    return new ApiError(429, message, {
      reason,
      code: "rate_limit_exceeded",
      headers,
    });
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

/** Request bucket and token bucket of an API key. */
export class KeyBuckets {
  readonly #requests: Bucket | undefined;
  readonly #tokens: Bucket | undefined;

  constructor({ requests, tokens }: KeyLimits, now: () => number) {
    if (requests !== undefined)
      this.#requests = new Bucket("requests", requests, now);
    if (tokens !== undefined) this.#tokens = new Bucket("tokens", tokens, now);
  }

  /** @throws ApiError 429 if the request limit is reached */
  takeRequest(): void {
    this.#requests?.take(1);
  }

  /** @throws ApiError 429 if the token limit is reached */
  takeTokens(amount: number): void {
    this.#tokens?.take(amount);
  }

  /**
   * Corrects the token bucket by the number of used tokens minus the number of
   * reserved tokens. The level of the bucket can become negative.
   */
  settleTokens(difference: number): void {
    this.#tokens?.settle(difference);
  }

  headers(): Record<string, string> {
    return { ...this.#requests?.headers(), ...this.#tokens?.headers() };
  }
}

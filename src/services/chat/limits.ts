import { ApiError } from "../../../generated/runtime/server/index.js";
import { Place } from "./config-reader.js";

/** How much a key may ask for in a minute; absent where there is no limit. */
export interface KeyLimits {
  readonly requests: number | undefined;
  readonly tokens: number | undefined;
}

const RANGE = { min: 1, max: 1_000_000_000 };

/** Reads `limits` of a key. */
export function readLimits(key: Place): KeyLimits {
  if (!key.has("limits")) return { requests: undefined, tokens: undefined };
  const place = new Place(key.get("limits"), key.at("limits"), [
    "requestsPerMinute",
    "tokensPerMinute",
  ]);
  return {
    requests: place.whole("requestsPerMinute", RANGE),
    tokens: place.whole("tokensPerMinute", RANGE),
  };
}

/** What is limited, as the wire names it. */
type Kind = "requests" | "tokens";

const MINUTE = 60_000;

/** A bucket that a minute fills: what is taken out comes back evenly. */
export class Bucket {
  readonly #kind: Kind;
  readonly #size: number;
  readonly #now: () => number;
  #level: number;
  #seen: number;

  constructor(kind: Kind, size: number, now: () => number) {
    this.#kind = kind;
    this.#size = size;
    this.#now = now;
    this.#level = size;
    this.#seen = now();
  }

  /**
   * Takes an amount out.
   *
   * @throws ApiError 429 where less is in it
   */
  take(amount: number): void {
    this.#fill();
    if (this.#level < amount) throw this.#refusal(amount);
    this.#level -= amount;
  }

  /** Takes out what was used beyond what had been taken, or puts the rest back. */
  settle(difference: number): void {
    this.#fill();
    this.#level = Math.min(this.#size, this.#level - difference);
  }

  /** The state as headers that clients know. */
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

  #refusal(amount: number): ApiError {
    const reason = this.#kind;
    const isHopeless = amount > this.#size;
    const message = isHopeless
      ? `The request is larger than the limit of ${this.#size} ${reason} per minute.`
      : `Rate limit of ${this.#size} ${reason} per minute reached.`;
    const wait = Math.max(1, Math.ceil(this.#timeFor(amount)));
    const headers = {
      "retry-after": String(Math.ceil(wait / 1000)),
      "retry-after-ms": String(wait),
      ...(isHopeless ? { "x-should-retry": "false" } : {}),
    };
    return new ApiError(429, message, {
      reason,
      code: "rate_limit_exceeded",
      headers,
    });
  }

  /** Milliseconds until so much is in it, or as much as goes in. */
  #timeFor(amount: number): number {
    const missing = Math.min(amount, this.#size) - this.#level;
    return Math.max(0, (missing / this.#size) * MINUTE);
  }

  #fill(): void {
    const now = this.#now();
    // A clock that is set back fills nothing.
    const passed = Math.max(0, now - this.#seen);
    this.#seen = now;
    this.#level = Math.min(
      this.#size,
      this.#level + (passed / MINUTE) * this.#size,
    );
  }
}

/** The buckets of a key. */
export class KeyBuckets {
  readonly #requests: Bucket | undefined;
  readonly #tokens: Bucket | undefined;

  constructor({ requests, tokens }: KeyLimits, now: () => number) {
    if (requests !== undefined)
      this.#requests = new Bucket("requests", requests, now);
    if (tokens !== undefined) this.#tokens = new Bucket("tokens", tokens, now);
  }

  /** @throws ApiError 429 */
  takeRequest(): void {
    this.#requests?.take(1);
  }

  /** @throws ApiError 429 */
  takeTokens(amount: number): void {
    this.#tokens?.take(amount);
  }

  /** What was used beyond what had been taken; the bucket may owe for a while. */
  settleTokens(difference: number): void {
    this.#tokens?.settle(difference);
  }

  headers(): Record<string, string> {
    return { ...this.#requests?.headers(), ...this.#tokens?.headers() };
  }
}

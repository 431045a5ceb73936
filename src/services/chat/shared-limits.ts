import type { RateLimiterPostgres } from "rate-limiter-flexible";
import { sharedLimiter } from "../shared-limiter.js";
import type { Store } from "../store/store.js";
import {
  hasLimits,
  limitError,
  limitHeaders,
  MINUTE,
  type LimiterOf,
  type LimitKind,
  type RequestLimiter,
} from "./key-buckets.js";

/**
 * Returns limiters whose counts are in the database, so that all processes count
 * together, in fixed windows of one minute. While the database is unavailable,
 * requests are not limited; the reads of their keys fail.
 *
 * @throws StoreError if the database is unavailable
 */
export async function sharedLimits(
  store: Required<Pick<Store, "rows" | "time">>,
): Promise<LimiterOf> {
  const counterOf = (kind: LimitKind): Promise<RateLimiterPostgres> =>
    sharedLimiter(store, {
      keyPrefix: `chat-${kind}`,
      // Keys have different limits, so counts are compared here instead of in
      // the library.
      points: Number.MAX_SAFE_INTEGER,
      window: MINUTE,
    });
  const requests = await counterOf("requests");
  const tokens = await counterOf("tokens");
  return ({ id, limits }) =>
    hasLimits(limits)
      ? new SharedLimiter(
          new Window(requests, "requests", id, limits.requestsPerMinute),
          new Window(tokens, "tokens", id, limits.tokensPerMinute),
        )
      : undefined;
}

/** Limiter of one request. */
class SharedLimiter implements RequestLimiter {
  readonly #requests: Window;
  readonly #tokens: Window;

  constructor(requests: Window, tokens: Window) {
    this.#requests = requests;
    this.#tokens = tokens;
  }

  takeRequest(): Promise<void> {
    return this.#requests.take(1);
  }

  takeTokens(amount: number): Promise<void> {
    return this.#tokens.take(amount);
  }

  settleTokens(reserved: number, used: number): void {
    void this.#tokens.settle(used - reserved);
  }

  headers(): Record<string, string> {
    return { ...this.#requests.headers(), ...this.#tokens.headers() };
  }
}

/** Count of a key in the current window, as seen by one request. */
class Window {
  readonly #counter: RateLimiterPostgres;
  readonly #kind: LimitKind;
  readonly #key: string;
  readonly #limit: number | undefined;
  #used: number | undefined;
  /** End of the window by the clock of `performance.now()`. */
  #ends = 0;

  /** @param limit maximum per window; undefined if it is unlimited */
  constructor(
    counter: RateLimiterPostgres,
    kind: LimitKind,
    key: string,
    limit: number | undefined,
  ) {
    this.#counter = counter;
    this.#kind = kind;
    this.#key = key;
    this.#limit = limit;
  }

  /** @throws ApiError 429 if the count then exceeds the limit */
  async take(amount: number): Promise<void> {
    const limit = this.#limit;
    if (limit === undefined) return;
    if (amount > limit) throw limitError(this.#kind, limit, amount, MINUTE);
    await this.#add(amount);
    if (this.#used === undefined || this.#used <= limit) return;
    // Tokens of a refused request remain available to smaller ones. Refused
    // requests count, like those of the marketplace.
    if (this.#kind === "tokens") await this.settle(-amount);
    throw limitError(this.#kind, limit, amount, this.#timeLeft());
  }

  /** Adds a difference to the count of the window, if it has not ended. */
  async settle(difference: number): Promise<void> {
    const isOver = this.#timeLeft() === 0;
    if (this.#used === undefined || difference === 0) return;
    // Tokens that were returned must not increase the limit of the next window.
    if (difference < 0 && isOver) return;
    await this.#add(difference);
  }

  async #add(amount: number): Promise<void> {
    try {
      const { consumedPoints, msBeforeNext } = await (amount < 0
        ? this.#counter.reward(this.#key, -amount)
        : this.#counter.penalty(this.#key, amount));
      this.#used = consumedPoints;
      this.#ends = performance.now() + msBeforeNext;
    } catch {
      // The store reports its failures.
    }
  }

  #timeLeft(): number {
    return Math.max(0, this.#ends - performance.now());
  }

  headers(): Record<string, string> {
    if (this.#limit === undefined || this.#used === undefined) return {};
    const remaining = this.#limit - this.#used;
    return limitHeaders(this.#kind, this.#limit, remaining, this.#timeLeft());
  }
}

import type {
  AuthRequest,
  RateLimit,
  ServerRequest,
} from "../../../generated/runtime/server/index.js";

/** Milliseconds that requests are counted for. */
const WINDOW = 60_000;

/** Addresses that are counted at most; who came first is forgotten first. */
const MOST = 100_000;

interface Window {
  readonly ends: number;
  count: number;
}

/** Counts requests by address; tells those that are too many when to try again. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #most: number;
  readonly #trustsProxy: boolean;
  readonly #now: () => number;

  constructor(most: number, trustsProxy: boolean, now: () => number) {
    this.#most = most;
    this.#trustsProxy = trustsProxy;
    this.#now = now;
  }

  check({ request }: Pick<AuthRequest, "request">): RateLimit | undefined {
    const now = this.#now();
    const window = this.#windowOf(this.#addressOf(request), now);
    window.count++;
    return window.count > this.#most
      ? { retryAfter: (window.ends - now) / 1000 }
      : undefined;
  }

  #windowOf(address: string, now: number): Window {
    const known = this.#windows.get(address);
    // A window that ends later than a new one would is from before the clock was set back.
    const left = known === undefined ? 0 : known.ends - now;
    if (known !== undefined && left > 0 && left <= WINDOW) return known;
    const window = { ends: now + WINDOW, count: 0 };
    // Windows end in the order in which they stand here.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    for (const [oldest, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size <= MOST) break;
      this.#windows.delete(oldest);
    }
    return window;
  }

  #addressOf(request: ServerRequest): string {
    const forwarded = this.#trustsProxy
      ? request.header("x-forwarded-for")?.split(",").at(-1)?.trim()
      : undefined;
    return forwarded || (request.remoteAddress ?? "");
  }
}

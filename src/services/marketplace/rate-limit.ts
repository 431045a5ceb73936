import { isIPv6 } from "node:net";
import type {
  AuthRequest,
  RateLimit,
  ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { sharedLimiter } from "../shared-limiter.js";
import type { Store } from "../store/store.js";

/** Function that counts a request; returns the limit if it is exceeded. */
export type RateLimitCheck = (
  request: Pick<AuthRequest, "request">,
) => Promise<RateLimit | undefined> | RateLimit | undefined;

/** Length of the time windows for rate limits, in milliseconds. */
const WINDOW = 60_000;

/**
 * Maximum number of client addresses whose requests are counted. If this number
 * is exceeded, the oldest rate-limit window is dropped.
 */
const MAX_ADDRESSES = 100_000;

interface RateWindow {
  readonly ends: number;
  count: number;
}

/**
 * Class that limits requests per client address in fixed time windows. Counts
 * are in the memory of this process.
 */
export class RateLimiter {
  readonly #windows = new Map<string, RateWindow>();
  readonly #limit: number;
  readonly #trustsProxy: boolean;
  readonly #now: () => number;

  constructor(limit: number, trustsProxy: boolean, now: () => number) {
    this.#limit = limit;
    this.#trustsProxy = trustsProxy;
    this.#now = now;
  }

  /** Counts a request. */
  check({ request }: Pick<AuthRequest, "request">): RateLimit | undefined {
    return this.#add(request, 1);
  }

  /** Tests whether the next request would be over the limit; does not count. */
  peek({ request }: Pick<AuthRequest, "request">): RateLimit | undefined {
    return this.#add(request, 0);
  }

  #add(request: ServerRequest, count: 0 | 1): RateLimit | undefined {
    const now = this.#now();
    const window = this.#windowOf(addressOf(request, this.#trustsProxy), now);
    window.count += count;
    return window.count + 1 - count > this.#limit
      ? { retryAfter: (window.ends - now) / 1000 }
      : undefined;
  }

  #windowOf(address: string, now: number): RateWindow {
    const current = this.#windows.get(address);
    // If the current window ends later than a new window would, the clock was
    // set back. The current window is then replaced.
    const left = current === undefined ? 0 : current.ends - now;
    if (current !== undefined && left > 0 && left <= WINDOW) return current;
    const window = { ends: now + WINDOW, count: 0 };
    // The entry is deleted and inserted again, so that the map remains sorted
    // by the end time of each rate-limit window.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    for (const [oldest, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size <= MAX_ADDRESSES) break;
      this.#windows.delete(oldest);
    }
    return window;
  }
}

/** Returns the unit of the limit for the client address of a request. */
function addressOf(request: ServerRequest, trustsProxy: boolean): string {
  const forwarded = trustsProxy
    ? request.header("x-forwarded-for")?.split(",").at(-1)?.trim()
    : undefined;
  return networkOf(forwarded || (request.remoteAddress ?? ""));
}

/**
 * Returns the unit that is limited: an IPv4 address, or the first 64 bits of an
 * IPv6 address, because a network can choose any of the other 64 bits. IPv6
 * forms of IPv4 addresses count as IPv4.
 */
export function networkOf(address: string): string {
  const [host = ""] = address.split("%", 1);
  if (!isIPv6(host)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1];
  if (mapped !== undefined) return mapped;
  // The URL parser prints an address in one form, with hexadecimal groups.
  const text = new URL(`http://[${host}]/`).hostname.slice(1, -1);
  const [start = "", end] = text.split("::");
  const groups = start.split(":");
  const missing =
    end === undefined ? 0 : 8 - groups.length - end.split(":").length;
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0")];
  return `${all
    .slice(0, 4)
    .map((group) => group || "0")
    .join(":")}::/64`;
}

/**
 * Returns a limiter whose counts are in the database, so that all processes
 * count together. While the database is unavailable, requests are not limited;
 * their reads fail.
 *
 * @param limit maximum number of requests per window, for all processes
 * @throws StoreError if the database is unavailable
 */
export async function sharedRateLimiter(
  store: Required<Pick<Store, "rows" | "time">>,
  limit: number,
  trustsProxy: boolean,
): Promise<RateLimitCheck> {
  const { RateLimiterRes } = await import("rate-limiter-flexible");
  const limiter = await sharedLimiter(store, {
    keyPrefix: "marketplace",
    points: limit,
    window: WINDOW,
    // Requests of a client beyond its limit do not reach the database.
    inMemoryBlockOnConsumed: limit + 1,
  });
  return async ({ request }) => {
    try {
      await limiter.consume(addressOf(request, trustsProxy));
      return undefined;
    } catch (error) {
      return error instanceof RateLimiterRes
        ? { retryAfter: error.msBeforeNext / 1000 }
        : undefined;
    }
  };
}

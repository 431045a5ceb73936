import { isIPv6 } from "node:net";
import type {
  AuthRequest,
  RateLimit,
  ServerRequest,
} from "../../../generated/runtime/server/index.js";

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

/** Class that limits requests per client address in fixed time windows. */
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

  check({ request }: Pick<AuthRequest, "request">): RateLimit | undefined {
    const now = this.#now();
    const window = this.#windowOf(this.#addressOf(request), now);
    window.count++;
    return window.count > this.#limit
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

  #addressOf(request: ServerRequest): string {
    const forwarded = this.#trustsProxy
      ? request.header("x-forwarded-for")?.split(",").at(-1)?.trim()
      : undefined;
    return networkOf(forwarded || (request.remoteAddress ?? ""));
  }
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

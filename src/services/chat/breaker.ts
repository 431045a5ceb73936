import type { BreakerConfig } from "./upstream-config.js";

/**
 * Maximum milliseconds for which `retry-after` of an upstream is respected. An
 * invalid or malicious header must not disable the upstream for long.
 */
const MAX_SKIP = 600_000;

/**
 * Circuit breaker of an upstream. It opens after a number of consecutive
 * failures. After a pause, one request tests the upstream: its success closes
 * the breaker, its failure starts another pause.
 */
export class Breaker {
  readonly #config: BreakerConfig;
  readonly #now: () => number;
  #failures = 0;
  /** Time at which a test is allowed; undefined if the breaker is closed. */
  #testFrom: number | undefined;
  #isTesting = false;
  #skippedUntil = -Infinity;

  /** @param now monotonic clock in milliseconds */
  constructor(
    config: BreakerConfig,
    now: () => number = () => performance.now(),
  ) {
    this.#config = config;
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#testFrom !== undefined;
  }

  /** True if the breaker is open, and no request may test the upstream yet. */
  get isPaused(): boolean {
    return this.#testFrom !== undefined && this.#now() < this.#testFrom;
  }

  /** True if the upstream can receive a request now. */
  get isAvailable(): boolean {
    return this.waitTime === 0;
  }

  /** Milliseconds until the upstream can receive a request. */
  get waitTime(): number {
    const now = this.#now();
    const test = this.#testFrom ?? now;
    // The end of a running test is not known in advance.
    const afterTest = this.#isTesting ? now + this.#config.pause : now;
    return Math.max(0, test - now, afterTest - now, this.#skippedUntil - now);
  }

  /** Records that a request is sent. */
  start(): void {
    if (this.isOpen) this.#isTesting = true;
  }

  /**
   * Records a response, or the first part of a stream.
   *
   * @returns true if the breaker was open
   */
  succeed(): boolean {
    const wasOpen = this.isOpen;
    this.#failures = 0;
    this.#testFrom = undefined;
    this.#isTesting = false;
    return wasOpen;
  }

  /**
   * Records a failure.
   *
   * @returns true if the breaker was closed and is open now
   */
  fail(): boolean {
    const wasOpen = this.isOpen;
    this.#failures++;
    this.#isTesting = false;
    if (!wasOpen && this.#failures < this.#config.failures) return false;
    this.#testFrom = this.#now() + this.#config.pause;
    return !wasOpen;
  }

  /** Records a request that ended without a result, such as an aborted one. */
  release(): void {
    this.#isTesting = false;
  }

  /** Sends no requests for a time in milliseconds. */
  skip(time: number): void {
    this.#skippedUntil = this.#now() + Math.min(time, MAX_SKIP);
  }
}

/**
 * Returns the milliseconds in the headers `retry-after-ms` or `retry-after`;
 * undefined if both are absent or invalid.
 */
export function retryTime(
  headers: Readonly<Record<string, unknown>>,
): number | undefined {
  const milliseconds = headers["retry-after-ms"];
  if (milliseconds !== undefined && isNumber(milliseconds))
    return Number(milliseconds);
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  if (isNumber(after)) return Number(after) * 1000;
  const time = /^\w+, .* GMT$/.test(String(after))
    ? Date.parse(String(after))
    : NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

function isNumber(value: unknown): boolean {
  return /^\d+(?:\.\d+)?$/.test(String(value));
}

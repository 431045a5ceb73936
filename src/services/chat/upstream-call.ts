import { ApiError } from "../../../generated/runtime/server/index.js";
import type { Job } from "./backend.js";
import { patientDispatcher } from "./dispatcher.js";
import type { UpstreamConfig } from "./upstream-config.js";
import { failed } from "./upstream-errors.js";

/** The bounds are those of the config alone. */
const dispatcher = patientDispatcher();

/** Milliseconds that the end of a stream may take behind its last event. */
const DRAIN = 1000;

/**
 * A request to a back end with its bounds: aborted when the caller is gone,
 * when nothing has come for too long, and when all of it took too long.
 */
export class UpstreamCall {
  readonly #config: UpstreamConfig;
  readonly #job: Job;
  readonly #timeout: number;
  readonly #controller = new AbortController();
  readonly #leave = (): void => this.close();
  readonly #ends: number;
  #timer: NodeJS.Timeout | undefined;
  /** Since when something is waited for; a slow caller is not its fault. */
  #waiting: number | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isLate = false;
  #size = 0;

  /** @param timeout milliseconds that the back end may be silent */
  constructor(
    config: UpstreamConfig,
    job: Job,
    timeout: number = config.timeout,
  ) {
    this.#timeout = timeout;
    this.#config = config;
    this.#job = job;
    this.#waiting = performance.now();
    this.#ends = this.#waiting + config.maxTime;
    job.signal.addEventListener("abort", this.#leave);
    this.#watch();
    if (job.signal.aborted) this.close();
  }

  /** Sends the request; the answer as soon as its headers are there. */
  async open(body: string): Promise<Response> {
    const { url, key } = this.#config;
    try {
      return await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          // Packed streams arrive in lumps.
          "accept-encoding": "identity",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        redirect: "manual",
        signal: this.#controller.signal,
        dispatcher,
      } as RequestInit);
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** The answer's bytes, read no faster than they are wanted. */
  async *pieces(response: Response): AsyncGenerator<Uint8Array> {
    const reader = (this.#reader = response.body?.getReader());
    if (reader === undefined) return;
    try {
      for (;;) {
        this.#waiting = performance.now();
        const { done, value } = await reader.read();
        this.#waiting = undefined;
        if (done) return;
        this.#size += value.length;
        if (this.#size > this.#config.maxSize)
          throw failed(502, "The back end's answer is too long.");
        yield value;
      }
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** What a failure under way is to the caller. */
  failure(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (this.#job.signal.aborted) return gone();
    if (this.#isLate) return failed(504, "The back end took too long.");
    return failed(502, "The back end can't be reached.", {}, codeOf(error));
  }

  /** Ends the request behind its last event, and keeps the connection if the rest comes soon. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#leave, DRAIN);
    void this.#drain().finally(() => this.#rest());
  }

  /** Nothing is watched any more. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#job.signal.removeEventListener("abort", this.#leave);
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.#reader?.read())?.done === false);
    } catch {
      // The answer was complete.
    }
  }

  /** Ends the request, whatever is still to come. */
  close(): void {
    this.#rest();
    this.#controller.abort();
  }

  /** One timer for both bounds, which looks at the clock when it may be time. */
  #watch(): void {
    const now = performance.now();
    const silent = (this.#waiting ?? now) + this.#timeout;
    const due = Math.min(silent, this.#ends) - now;
    if (due <= 0) {
      this.#isLate = true;
      return this.#controller.abort();
    }
    this.#timer = setTimeout(() => this.#watch(), Math.ceil(due));
  }
}

/** For the log: nobody is there to read it. */
export function gone(): ApiError {
  return new ApiError(499, "The caller has left.", {
    reason: "invalid_request_error",
  });
}

/** The system's word for what broke, such as `ECONNREFUSED`; nothing that a caller or config wrote. */
function codeOf(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name).slice(0, 64);
}

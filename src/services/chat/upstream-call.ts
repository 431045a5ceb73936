import { ApiError } from "../../../generated/runtime/server/index.js";
import { isObject } from "../../diagnostics/json.js";
import { tracer, type ClientSpan, type SpanAttributes } from "../spans.js";
import type { Job, JsonObject } from "./backend.js";
import type { UpstreamConfig, UpstreamMethod } from "./upstream-config.js";
import { backendError } from "./upstream-errors.js";

/**
 * Dispatcher that all calls share. It has no timeouts, because each call
 * applies the timeouts in the config.
 */
const dispatcher = dispatcherWithoutTimeouts();

/** Milliseconds to wait for the end of a stream after its last event. */
const DRAIN_TIME = 1000;

/**
 * Request to a backend. It is aborted if the caller disconnects, if no data is
 * received for too long, or if the maximum duration is exceeded.
 */
export class UpstreamCall {
  readonly #config: UpstreamConfig;
  readonly #job: Job;
  #timeout: number;
  readonly #furtherTimeout: number;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.close();
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  /**
   * Time at which the call started to wait for data from the backend; undefined
   * while it waits for the caller to read.
   */
  #waitingSince: number | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isTimedOut = false;
  /** True if the headers of the response have been received. */
  #hasResponse = false;
  #size = 0;
  /** Span from the request to the end of the response body. */
  #span: ClientSpan | undefined;
  #errorType: string | undefined;

  /**
   * @param first milliseconds until the first data of the body
   * @param further milliseconds without data after which the call is aborted
   */
  constructor(
    config: UpstreamConfig,
    job: Job,
    first: number,
    further: number = first,
  ) {
    this.#timeout = first;
    this.#furtherTimeout = further;
    this.#config = config;
    this.#job = job;
    this.#waitingSince = performance.now();
    // Attempts with several backends share the maximum duration.
    this.#deadline = job.started + config.maxTime;
    job.signal.addEventListener("abort", this.#onAbort);
    this.#watch();
    if (job.signal.aborted) this.close();
  }

  /**
   * Sends the request. Returns when the response headers have been received.
   *
   * @param model name of the model in the body, for traces
   */
  async open(
    method: UpstreamMethod,
    body: string,
    model: string,
  ): Promise<Response> {
    const { urls, headers } = this.#config;
    this.#span = tracer?.startClient(
      "POST",
      attributesOf(method, urls[method], model),
    );
    try {
      const response = await fetch(urls[method], {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          // Compression would delay the events of a stream.
          "accept-encoding": "identity",
          ...this.#span?.headers(),
          ...headers,
        },
        body,
        redirect: "manual",
        signal: this.#controller.signal,
        dispatcher,
      } as RequestInit);
      const { status } = response;
      this.#hasResponse = true;
      this.#span?.set({ "http.response.status_code": status });
      if (status !== 200) this.#errorType = String(status);
      return response;
    } catch (error) {
      throw this.failure(error);
    }
  }

  /**
   * Streams the response body. Data is read only as fast as the caller reads
   * (backpressure).
   */
  async *chunks(response: Response): AsyncGenerator<Uint8Array> {
    const reader = (this.#reader = response.body?.getReader());
    if (reader === undefined) return;
    try {
      for (;;) {
        this.#waitingSince = performance.now();
        const { done, value } = await reader.read();
        this.#waitingSince = undefined;
        if (done) return;
        this.#onData();
        this.#size += value.length;
        if (this.#size > this.#config.maxSize)
          throw backendError(502, "The backend's response is too long.");
        yield value;
      }
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Applies the timeout for further data. */
  #onData(): void {
    if (this.#timeout === this.#furtherTimeout) return;
    this.#timeout = this.#furtherTimeout;
    clearTimeout(this.#timer);
    this.#watch();
  }

  /** Adds the usage in a response to the span. */
  onUsage({ usage }: JsonObject): void {
    if (this.#span === undefined || !isObject(usage)) return;
    for (const [attribute, member] of USAGE) {
      const count = usage[member];
      if (Number.isSafeInteger(count))
        this.#span.set({ [attribute]: count as number });
    }
  }

  /**
   * Marks the span as failed, unless its response had an error status or the
   * caller disconnected.
   */
  onInvalid(): void {
    if (!this.#job.signal.aborted) this.#errorType ??= "invalid_response";
  }

  /** Converts an error of the request to an error for the caller. */
  failure(error: unknown): ApiError {
    if (error instanceof ApiError) {
      this.onInvalid();
      return error;
    }
    if (this.#job.signal.aborted) return callerLeft();
    this.#errorType ??= this.#isTimedOut ? "timeout" : errorCodeOf(error);
    if (this.#isTimedOut)
      return backendError(
        504,
        "The backend did not respond within the timeout.",
      );
    return backendError(
      502,
      this.#hasResponse
        ? "The connection to the backend was lost."
        : "The backend can't be reached.",
      {},
      errorCodeOf(error),
    );
  }

  /**
   * Ends the call after the last event. The connection is reused if the rest of
   * the body arrives within `DRAIN_TIME`.
   */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onAbort, DRAIN_TIME);
    void this.#drain().finally(() => this.#stopWatching());
  }

  /** Removes the timer and the abort listener, and ends the span. */
  #stopWatching(): void {
    this.#span?.end(this.#errorType);
    clearTimeout(this.#timer);
    this.#job.signal.removeEventListener("abort", this.#onAbort);
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.#reader?.read())?.done === false);
    } catch {
      // The error is ignored, because the caller already has the complete
      // response.
    }
  }

  /** Aborts the request. */
  close(): void {
    this.#stopWatching();
    this.#controller.abort();
  }

  /**
   * Checks both timeouts with a single timer, which expires at the earlier of
   * the two deadlines.
   */
  #watch(): void {
    const now = performance.now();
    const silent = (this.#waitingSince ?? now) + this.#timeout;
    const due = Math.min(silent, this.#deadline) - now;
    if (due <= 0) {
      this.#isTimedOut = true;
      return this.#controller.abort();
    }
    this.#timer = setTimeout(() => this.#watch(), Math.ceil(due));
  }
}

/** Attributes of the usage of tokens, and the members of `usage`. */
const USAGE = [
  ["gen_ai.usage.input_tokens", "prompt_tokens"],
  ["gen_ai.usage.output_tokens", "completion_tokens"],
] as const;

/**
 * Returns the attributes of a request to a backend. The user, password and query
 * of its URL are omitted, because they can contain keys.
 */
function attributesOf(
  method: UpstreamMethod,
  text: string,
  model: string,
): SpanAttributes {
  const { protocol, origin, pathname, hostname, port } = new URL(text);
  return {
    "http.request.method": "POST",
    "url.full": `${origin}${pathname}`,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "gen_ai.operation.name": method === "completions" ? "chat" : "embeddings",
    "gen_ai.request.model": model,
  };
}

/**
 * Returns the error for a caller that disconnected. The error is only logged.
 */
export function callerLeft(): ApiError {
  return new ApiError(499, "The caller disconnected.", {
    reason: "invalid_request_error",
  });
}

/**
 * Returns the error code of the system, such as `ECONNREFUSED`. The result
 * never contains text from callers or from the config.
 */
function errorCodeOf(error: unknown): string {
  const { cause, name } = Object(error) as { cause?: unknown; name?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  return String(code ?? name).slice(0, 64);
}

/** Value for the option `dispatcher` of Node's `fetch`. */
type FetchDispatcher = object;

/**
 * Creates a dispatcher without timeouts. The default dispatcher of Node's
 * `fetch` aborts a response if its headers take longer than 300 s to arrive.
 * Node does not export the class of the dispatcher, so the class is taken from
 * the global dispatcher. Returns undefined if the global dispatcher can't be
 * used.
 */
export function dispatcherWithoutTimeouts(): FetchDispatcher | undefined {
  // Evaluating this expression makes Node create the global dispatcher.
  void new Headers();
  const current = (globalThis as Record<symbol, unknown>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  const Agent = Object(current).constructor as
    (new (options: object) => FetchDispatcher) | undefined;
  if (current === undefined || Agent === undefined) return undefined;
  // A dispatcher that the environment has installed applies its own timeouts.
  if (Agent.name !== "Agent") return undefined;
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
}

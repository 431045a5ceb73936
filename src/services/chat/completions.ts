import { randomUUID } from "node:crypto";
import type {
  ChatCompletion,
  ChatCompletionChunk,
} from "../../../generated/chat/v1/schemas.js";
import {
  ApiError,
  type Call,
} from "../../../generated/runtime/server/index.js";
import type { ServiceContext } from "../service.js";
import type { Backend, ChatBody, CompletionJob } from "./backend.js";
import type { ChatConfig, ChatModel } from "./config.js";
import { scanJson } from "./json-scan.js";
import { checkModelAccess, type Key } from "./keys.js";
import { logStream } from "./log.js";
import { badMember, checkBody } from "./messages.js";
import type { ChatRequest } from "./request.js";
import { callerLeft } from "./upstream-call.js";
import type { Accounting, Settle } from "./accounting.js";
import {
  estimatePrompt,
  NO_TOKENS,
  UsageMeter,
  type TokenCounts,
} from "./usage.js";

/** Completion request that has passed all checks. */
interface PreparedCompletion {
  readonly request: ChatRequest;
  readonly backend: Backend;
  readonly job: CompletionJob;
  readonly meter: UsageMeter;
  readonly settle: Settle;
  readonly end: () => void;
}

/**
 * Handler of completion requests. It passes each request to the backend of the
 * requested model.
 */
export class Completions {
  readonly running: RunningCompletions = new RunningCompletions();
  readonly #config: ChatConfig;
  readonly #context: ServiceContext;
  readonly #accounting: Accounting;

  constructor(
    config: ChatConfig,
    context: ServiceContext,
    accounting: Accounting,
  ) {
    this.#config = config;
    this.#context = context;
    this.#accounting = accounting;
  }

  /**
   * Handles a completion request. The response is streamed if `stream` is true.
   */
  create(
    call: Call<unknown, ChatBody, Key>,
  ): Promise<ChatCompletion> | AsyncIterable<ChatCompletionChunk> {
    return call.body.stream === true
      ? this.#stream(call)
      : this.#complete(call);
  }

  async #prepare({
    body,
    auth: key,
    request: incoming,
  }: Call<unknown, ChatBody, Key>): Promise<PreparedCompletion> {
    const request = incoming as ChatRequest;
    const { limits, models } = this.#config;
    const { duplicateKey } = scanJson(request.body);
    if (duplicateKey !== undefined)
      throw badMember(duplicateKey, "occurs more than once");
    checkBody(body);
    const model = findModel(body.model, models);
    request.state.model = model.name;
    checkModelAccess(key, model.name);
    if (this.running.size >= limits.concurrent) throw overloaded();
    const { signal, end } = this.running.start(request.signal);
    try {
      const estimate = estimatePrompt(body);
      const { limiter } = request.state;
      const settle = await this.#accounting.admit(
        key,
        model.name,
        limiter,
        estimate,
      );
      const job: CompletionJob = {
        body,
        text: request.body,
        id: `chatcmpl-${randomUUID().replaceAll("-", "")}`,
        created: Math.floor(this.#context.now() / 1000),
        signal,
      };
      const { backend } = model;
      const meter = new UsageMeter(estimate);
      return { request, backend, job, meter, settle, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #complete(call: Call<unknown, ChatBody, Key>): Promise<ChatCompletion> {
    const prepared = await this.#prepare(call);
    const { backend, job, meter, settle, end, request } = prepared;
    let counts: TokenCounts | undefined;
    try {
      const completion = await backend.complete(job);
      meter.observe(completion);
      counts = request.state.usage = meter.counts();
      return completion as unknown as ChatCompletion;
    } catch (error) {
      // The back end has processed the prompt of a caller that disconnected.
      if (job.signal.aborted) counts = meter.counts();
      throw this.#errorOf(error, prepared);
    } finally {
      settle(counts ?? NO_TOKENS);
      end();
    }
  }

  async *#stream(
    call: Call<unknown, ChatBody, Key>,
  ): AsyncGenerator<ChatCompletionChunk> {
    const prepared = await this.#prepare(call);
    const { backend, job, meter, settle, end, request } = prepared;
    const reader = new ReaderWatch(request, this.#config.limits.stall);
    let isComplete = false;
    let failure: unknown;
    try {
      for await (const chunk of backend.stream(job)) {
        meter.observe(chunk);
        reader.onChunkSent();
        yield chunk as unknown as ChatCompletionChunk;
        reader.onChunkRequested();
      }
      isComplete = true;
    } catch (error) {
      throw (failure = this.#errorOf(error, prepared));
    } finally {
      reader.close();
      const isProcessed = reader.count > 0 || isComplete || job.signal.aborted;
      settle(isProcessed ? meter.counts() : NO_TOKENS);
      end();
      if (!isComplete && request.ended !== undefined)
        failure ??= this.#errorOf(undefined, prepared);
      // A failure before the first chunk becomes an error response. The log
      // line of the request already contains the error.
      if (reader.count > 0) {
        request.state.usage = meter.counts();
        logStream(this.#context, request, reader.count, isComplete, failure);
      }
    }
  }

  /**
   * Returns the error to report. For an aborted completion, returns the reason
   * for the abort.
   */
  #errorOf(error: unknown, { job, request }: PreparedCompletion): unknown {
    if (!job.signal.aborted && request.ended === undefined) return error;
    if (request.ended === "stalled")
      return new ApiError(408, "The caller stopped reading the stream.", {
        code: "stalled",
      });
    return request.ended === undefined && request.signal.aborted
      ? callerLeft()
      : new ApiError(503, "The server is shutting down.");
  }
}

/**
 * Returns the model with the given name.
 *
 * @throws ApiError 404 if the model does not exist
 */
export function findModel(
  name: string,
  models: ReadonlyMap<string, ChatModel>,
): ChatModel {
  const model = models.get(name);
  if (model !== undefined) return model;
  const message = `The model ${JSON.stringify(name.slice(0, 100))} does not exist.`;
  throw new ApiError(404, message, {
    code: "model_not_found",
    problems: [{ message, location: "model" }],
  });
}

function overloaded(): ApiError {
  return new ApiError(503, "The service is overloaded. Try again later.", {
    headers: { "retry-after": "1" },
  });
}

/**
 * Set of completions in flight. When the set is closed, it waits for the
 * completions and aborts those that take too long.
 */
export class RunningCompletions {
  readonly #running = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Registers a completion in flight.
   *
   * @param caller signal that is aborted when the caller disconnects; the
   *   completion is then aborted too
   */
  start(caller: AbortSignal): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    this.#running.add(controller);
    const abort = (): void => {
      end();
      controller.abort();
    };
    const end = (): void => {
      caller.removeEventListener("abort", abort);
      this.#running.delete(controller);
      if (this.#running.size === 0) this.#onIdle?.();
    };
    caller.addEventListener("abort", abort);
    if (caller.aborted) abort();
    return { signal: controller.signal, end };
  }

  /**
   * Waits at most `time` milliseconds for completions in flight, then aborts
   * the remaining ones.
   */
  async close(time: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const controller of this.#running) controller.abort();
  }
}

/** Class that disconnects a caller that stops reading a stream. */
class ReaderWatch {
  /** Number of chunks that were sent. */
  count = 0;
  #isPending = false;
  /**
   * Number of the chunk that was pending at the last check; 0 if none was
   * pending.
   */
  #lastPending = 0;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param stall milliseconds between checks; a caller that stops reading is
   *   disconnected after one to two of these intervals
   */
  constructor(request: ChatRequest, stall: number) {
    this.#timer = setInterval(() => {
      if (this.#isPending && this.#lastPending === this.count)
        request.disconnect();
      this.#lastPending = this.#isPending ? this.count : 0;
    }, stall);
    this.#timer.unref();
  }

  /** Records that a chunk was sent. */
  onChunkSent(): void {
    this.count++;
    this.#isPending = true;
  }

  /** Records that the next chunk was requested. */
  onChunkRequested(): void {
    this.#isPending = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

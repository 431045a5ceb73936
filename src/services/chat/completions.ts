import { randomUUID } from "node:crypto";
import type {
  ChatCompletion,
  ChatCompletionChunk,
} from "../../../generated/chat/v1/schemas.js";
import type { Call } from "../../../generated/runtime/server/index.js";
import type { ServiceContext } from "../service.js";
import {
  checkDuplicates,
  errorOf,
  sendMeasured,
  type Admissions,
  type Admitted,
} from "./admission.js";
import type { ChatBody, CompletionJob } from "./backend.js";
import type { ChatConfig } from "./config.js";
import type { Key } from "./keys.js";
import { logStream } from "./log.js";
import { checkBody } from "./messages.js";
import type { ChatRequest } from "./request.js";
import { estimatePrompt, NO_TOKENS, UsageMeter } from "./usage.js";

type CompletionCall = Call<unknown, ChatBody, Key>;

/** Completion request that has passed all checks. */
interface PreparedCompletion extends Admitted {
  readonly job: CompletionJob;
  readonly meter: UsageMeter;
}

/**
 * Handler of completion requests. It passes each request to the backend of the
 * requested model.
 */
export class Completions {
  readonly #config: ChatConfig;
  readonly #context: ServiceContext;
  readonly #admissions: Admissions;

  constructor(
    config: ChatConfig,
    context: ServiceContext,
    admissions: Admissions,
  ) {
    this.#config = config;
    this.#context = context;
    this.#admissions = admissions;
  }

  /**
   * Handles a completion request. The response is streamed if `stream` is true.
   */
  create(
    call: CompletionCall,
  ): Promise<ChatCompletion> | AsyncIterable<ChatCompletionChunk> {
    return call.body.stream === true
      ? this.#stream(call)
      : this.#complete(call);
  }

  async #prepare(call: CompletionCall): Promise<PreparedCompletion> {
    const { body, request } = call;
    checkDuplicates(request as ChatRequest);
    checkBody(body);
    const estimate = estimatePrompt(body);
    const admitted = await this.#admissions.admit(call, estimate);
    const meter = new UsageMeter(estimate);
    const job: CompletionJob = {
      ...admitted.job,
      body,
      id: `chatcmpl-${randomUUID().replaceAll("-", "")}`,
      created: Math.floor(this.#context.now() / 1000),
      onHiddenChunk: (chunk) => meter.observe(chunk),
    };
    return { ...admitted, job, meter };
  }

  async #complete(call: CompletionCall): Promise<ChatCompletion> {
    const prepared = await this.#prepare(call);
    const { backend, job, meter } = prepared;
    const response = await sendMeasured(prepared, meter, () =>
      backend.complete(job),
    );
    return response as unknown as ChatCompletion;
  }

  async *#stream(call: CompletionCall): AsyncGenerator<ChatCompletionChunk> {
    const prepared = await this.#prepare(call);
    const { backend, job, meter, settle, request } = prepared;
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
      throw (failure = errorOf(error, prepared));
    } finally {
      reader.close();
      const isProcessed = reader.count > 0 || isComplete || job.signal.aborted;
      settle(isProcessed ? meter.counts() : NO_TOKENS);
      if (!isComplete && request.ended !== undefined)
        failure ??= errorOf(undefined, prepared);
      // A failure before the first chunk becomes an error response. The log
      // line of the request already contains the error.
      if (reader.count > 0) {
        request.state.usage = meter.counts();
        logStream(this.#context, request, reader.count, isComplete, failure);
      }
    }
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

import { randomUUID } from "node:crypto";
import {
  ApiError,
  type Call,
} from "../../../generated/runtime/server/index.js";
import type {
  ChatCompletion,
  ChatCompletionChunk,
} from "../../../generated/chat/v1/schemas.js";
import type { ServiceContext } from "../service.js";
import { RunningCompletions } from "./running-completions.js";
import type { Backend, ChatBody, CompletionJob } from "./backend.js";
import type { ChatConfig, ChatModel } from "./config.js";
import { scanJson } from "./json-scan.js";
import { checkModelAccess, type Key } from "./keys.js";
import { logStream } from "./log.js";
import { badMember, checkBody } from "./messages.js";
import type { ChatRequest } from "./request.js";
import { ReaderWatch } from "./reader-watch.js";
import { TokenReservation } from "./token-reservation.js";
import { callerLeft } from "./upstream-call.js";

/** Completion request that has passed all checks. */
interface PreparedCompletion {
  readonly request: ChatRequest;
  readonly backend: Backend;
  readonly job: CompletionJob;
  readonly reservation: TokenReservation | undefined;
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

  constructor(config: ChatConfig, context: ServiceContext) {
    this.#config = config;
    this.#context = context;
  }

  /**
   * Handles a completion request. The response is streamed if `stream` is true.
   */
  create({
    body,
    auth,
    request,
  }: Call<unknown, ChatBody, Key>):
    Promise<ChatCompletion> | AsyncIterable<ChatCompletionChunk> {
    const prepared = this.#prepare(body, auth, request as ChatRequest);
    return body.stream === true
      ? this.#stream(prepared)
      : this.#complete(prepared);
  }

  #prepare(body: ChatBody, key: Key, request: ChatRequest): PreparedCompletion {
    const { limits, models } = this.#config;
    const { duplicateKey } = scanJson(request.body);
    if (duplicateKey !== undefined)
      throw badMember(duplicateKey, "occurs more than once");
    checkBody(body);
    const model = findModel(body.model, models);
    request.state.model = model.name;
    checkModelAccess(key, model.name);
    if (this.running.size >= limits.concurrent) throw overloaded();
    const { buckets } = request.state;
    const reservation = buckets && new TokenReservation(buckets, body);
    const { signal, end } = this.running.start(request.signal);
    const job: CompletionJob = {
      body,
      text: request.body,
      id: `chatcmpl-${randomUUID().replaceAll("-", "")}`,
      created: Math.floor(this.#context.now() / 1000),
      signal,
    };
    return { request, backend: model.backend, job, reservation, end };
  }

  async #complete(prepared: PreparedCompletion): Promise<ChatCompletion> {
    const { backend, job, reservation, end } = prepared;
    try {
      const completion = await backend.complete(job);
      reservation?.observe(completion);
      return completion as unknown as ChatCompletion;
    } catch (error) {
      throw this.#errorOf(error, prepared);
    } finally {
      reservation?.settle();
      end();
    }
  }

  async *#stream(
    prepared: PreparedCompletion,
  ): AsyncGenerator<ChatCompletionChunk> {
    const { backend, job, reservation, end, request } = prepared;
    const reader = new ReaderWatch(request, this.#config.limits.stall);
    let isComplete = false;
    let failure: unknown;
    try {
      for await (const chunk of backend.stream(job)) {
        reservation?.observe(chunk);
        reader.onChunkSent();
        yield chunk as unknown as ChatCompletionChunk;
        reader.onChunkRequested();
      }
      isComplete = true;
    } catch (error) {
      throw (failure = this.#errorOf(error, prepared));
    } finally {
      reader.close();
      reservation?.settle();
      end();
      if (!isComplete && request.ended !== undefined)
        failure ??= this.#errorOf(undefined, prepared);
      // A failure before the first chunk becomes an error response. The log
      // line of the request already contains the error.
      if (reader.count > 0)
        logStream(this.#context, request, reader.count, isComplete, failure);
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

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
import { Active } from "./running-completions.js";
import type { Backend, ChatBody, Job } from "./backend.js";
import type { ChatConfig, Model } from "./config.js";
import { lookThrough } from "./json-scan.js";
import { checkRight, type Key } from "./keys.js";
import { logStream } from "./log.js";
import { badMember, checkBody } from "./messages.js";
import type { ChatRequest } from "./request.js";
import { ReaderWatch } from "./reader-watch.js";
import { Spending } from "./token-reservation.js";
import { gone } from "./upstream-call.js";

/** A completion that has passed all checks. */
interface Run {
  readonly request: ChatRequest;
  readonly backend: Backend;
  readonly job: Job;
  readonly spending: Spending | undefined;
  readonly end: () => void;
}

/** Makes completions, of whatever back end. */
export class Completions {
  readonly active: Active = new Active();
  readonly #config: ChatConfig;
  readonly #context: ServiceContext;

  constructor(config: ChatConfig, context: ServiceContext) {
    this.#config = config;
    this.#context = context;
  }

  /** Answers a request, in chunks where it asks for them. */
  create({
    body,
    auth,
    request,
  }: Call<unknown, ChatBody, Key>):
    Promise<ChatCompletion> | AsyncIterable<ChatCompletionChunk> {
    const run = this.#prepare(body, auth, request as ChatRequest);
    return body.stream === true ? this.#stream(run) : this.#complete(run);
  }

  #prepare(body: ChatBody, key: Key, request: ChatRequest): Run {
    const { limits, models } = this.#config;
    const { twice } = lookThrough(request.body);
    if (twice !== undefined)
      throw badMember(twice, "stands twice in its object");
    checkBody(body);
    const model = findModel(body.model, models);
    request.facts.model = model.name;
    checkRight(key, model.name);
    if (this.active.size >= limits.concurrent) throw overloaded();
    const { buckets } = request.facts;
    const spending = buckets && new Spending(buckets, body);
    const { signal, end } = this.active.start(request.signal);
    const job: Job = {
      body,
      text: request.body,
      id: `chatcmpl-${randomUUID().replaceAll("-", "")}`,
      created: Math.floor(this.#context.now() / 1000),
      signal,
    };
    return { request, backend: model.backend, job, spending, end };
  }

  async #complete(run: Run): Promise<ChatCompletion> {
    const { backend, job, spending, end } = run;
    try {
      const completion = await backend.complete(job);
      spending?.see(completion);
      return completion as unknown as ChatCompletion;
    } catch (error) {
      throw this.#reason(error, run);
    } finally {
      spending?.settle();
      end();
    }
  }

  async *#stream(run: Run): AsyncGenerator<ChatCompletionChunk> {
    const { backend, job, spending, end, request } = run;
    const reader = new ReaderWatch(request, this.#config.limits.stall);
    let isWhole = false;
    let failure: unknown;
    try {
      for await (const chunk of backend.stream(job)) {
        spending?.see(chunk);
        reader.give();
        yield chunk as unknown as ChatCompletionChunk;
        reader.take();
      }
      isWhole = true;
    } catch (error) {
      throw (failure = this.#reason(error, run));
    } finally {
      reader.close();
      spending?.settle();
      end();
      if (!isWhole && request.ended !== undefined)
        failure ??= this.#reason(undefined, run);
      // A failure before the first chunk is an ordinary answer, and logged as such.
      if (reader.count > 0)
        logStream(this.#context, request, reader.count, isWhole, failure);
    }
  }

  /** What a failure is, if it came of the caller's leaving or the service's end. */
  #reason(error: unknown, { job, request }: Run): unknown {
    if (!job.signal.aborted && request.ended === undefined) return error;
    if (request.ended === "stalled")
      return new ApiError(408, "The caller read nothing for too long.", {
        code: "stalled",
      });
    return request.ended === undefined && request.signal.aborted
      ? gone()
      : new ApiError(503, "The server is shutting down.");
  }
}

/**
 * The model of a name.
 *
 * @throws ApiError 404
 */
export function findModel(
  name: string,
  models: ReadonlyMap<string, Model>,
): Model {
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

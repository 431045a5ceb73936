import {
  ApiError,
  type Call,
} from "../../../generated/runtime/server/index.js";
import type { ServiceContext } from "../service.js";
import type { Backend, Job, JsonObject } from "./backend.js";
import type { BudgetKeeper } from "./budgets.js";
import type { ChatConfig, ChatModel } from "./config.js";
import { scanJson } from "./json-scan.js";
import type { RequestLimiter } from "./key-buckets.js";
import { checkModelAccess, type Key } from "./keys.js";
import { badMember } from "./messages.js";
import type { ChatRequest } from "./request.js";
import { callerLeft } from "./upstream-call.js";
import { NO_TOKENS, type TokenCounts, type UsageMeter } from "./usage.js";
import type { UsageRecorder } from "./usage-recorder.js";

/** Request that may be sent to the back end. */
export interface Admitted {
  readonly request: ChatRequest;
  readonly backend: Backend;
  readonly job: Job;
  /** Ends the request and records its usage. It must be called once. */
  readonly settle: (counts: TokenCounts) => void;
}

/**
 * Class that applies rights, limits and budgets to requests, and records their
 * usage.
 */
export class Admissions {
  readonly running: RunningRequests = new RunningRequests();
  readonly #config: ChatConfig;
  readonly #context: ServiceContext;
  readonly #budgets: BudgetKeeper;
  readonly #recorder: UsageRecorder;

  constructor(
    config: ChatConfig,
    context: ServiceContext,
    budgets: BudgetKeeper,
    recorder: UsageRecorder,
  ) {
    this.#config = config;
    this.#context = context;
    this.#budgets = budgets;
    this.#recorder = recorder;
  }

  /**
   * Reserves the estimated tokens of a request before it is sent to the back
   * end.
   *
   * @param estimate estimated tokens of the prompt
   * @throws ApiError if the caller has no right to the model, or a limit or
   *   budget is reached
   */
  async admit(
    { body, auth: key, request: incoming }: ModelCall,
    estimate: number,
  ): Promise<Admitted> {
    const request = incoming as ChatRequest;
    const model = findModel(body.model, this.#config.models);
    request.state.model = model.name;
    checkModelAccess(key, model.name);
    if (this.running.size >= this.#config.limits.concurrent) throw overloaded();
    const { signal, end } = this.running.start(request.signal);
    try {
      const { limiter } = request.state;
      const settleTokens = await this.#reserve(key, limiter, estimate);
      return {
        request,
        backend: model.backend,
        job: {
          text: request.body,
          signal,
          started: performance.now(),
          report: (event, facts) => this.#report(request, event, facts),
        },
        settle: (counts) => {
          this.#recorder.add(key, model.name, counts);
          settleTokens(counts.promptTokens + counts.completionTokens);
          end();
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Reserves tokens of the budgets and of the limit of a key. The returned
   * function replaces the reservation by the used tokens.
   */
  async #reserve(
    key: Key,
    limiter: RequestLimiter | undefined,
    estimate: number,
  ): Promise<(used: number) => void> {
    const settleBudget = await this.#budgets.reserve(key, estimate);
    try {
      await limiter?.takeTokens(estimate);
    } catch (error) {
      settleBudget?.(0);
      throw error;
    }
    return (used) => {
      settleBudget?.(used);
      limiter?.settleTokens(estimate, used);
    };
  }

  #report(request: ChatRequest, event: string, facts: object): void {
    const { model } = request.state;
    const requestId = request.id;
    this.#context.log({ service: "chat", event, requestId, model, ...facts });
  }
}

/**
 * Sends a request whose response is not streamed to the back end, and records
 * its usage.
 */
export async function sendMeasured(
  admitted: Admitted,
  meter: UsageMeter,
  send: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const { job, request, settle } = admitted;
  let counts: TokenCounts | undefined;
  try {
    const response = await send();
    meter.observe(response);
    counts = request.state.usage = meter.counts();
    return response;
  } catch (error) {
    // The back end has processed the prompt of a caller that disconnected.
    if (job.signal.aborted) counts = meter.counts();
    throw errorOf(error, admitted);
  } finally {
    settle(counts ?? NO_TOKENS);
  }
}

/** Call of a method whose body names a model. */
type ModelCall = Call<unknown, { readonly model: string }, Key>;

/** @throws ApiError 400 if an object in the body has two members with one name */
export function checkDuplicates({ body }: ChatRequest): void {
  const { duplicateKey } = scanJson(body);
  if (duplicateKey !== undefined)
    throw badMember(duplicateKey, "occurs more than once");
}

/**
 * Returns the error to report. For an aborted request, returns the reason for
 * the abort.
 */
export function errorOf(
  error: unknown,
  { job, request }: Pick<Admitted, "job" | "request">,
): unknown {
  if (!job.signal.aborted && request.ended === undefined) return error;
  if (request.ended === "stalled")
    return new ApiError(408, "The caller stopped reading the stream.", {
      code: "stalled",
    });
  return request.ended === undefined && request.signal.aborted
    ? callerLeft()
    : new ApiError(503, "The server is shutting down.");
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
 * Set of requests in flight. When the set is closed, it waits for the
 * requests and aborts those that take too long.
 */
export class RunningRequests {
  readonly #running = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Registers a request in flight.
   *
   * @param caller signal that is aborted when the caller disconnects; the
   *   request is then aborted too
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
   * Waits at most `time` milliseconds for requests in flight, then aborts
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

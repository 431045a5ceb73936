import type { Api } from "./api.js";
import { CallRunner } from "./run.js";
import { corsHeaders, preflight } from "./cors.js";
import { buildRoutes, type Endpoint } from "./endpoint.js";
import { usual, type ApiError } from "./error.js";
import { writeFailure } from "./failure.js";
import type { ServerOptions } from "./options.js";
import { hasDotSegment } from "./percent.js";
import type { Incoming, Outgoing } from "./request.js";
import { isPending, type Eventually } from "./eventually.js";
import type { Router } from "./router.js";

/** What is known of a request while it is at work. */
interface Work {
  readonly request: Incoming;
  readonly started: number;
  /** Whether it is one of the calls of a batch. */
  readonly isPart: boolean;
  endpoint: Endpoint | undefined;
}

/** Takes requests from the path to the answer. */
export class Dispatcher {
  readonly #api: Api;
  readonly #options: ServerOptions;
  readonly #router: Router<Endpoint>;
  readonly #runner: CallRunner;
  /** What stands in the path before the routes, its slash included. */
  readonly #base: string;
  #isClosing = false;
  #active = 0;
  #onIdle: (() => void) | undefined;

  constructor(api: Api, service: object, options: ServerOptions) {
    this.#api = api;
    this.#options = options;
    this.#router = buildRoutes(api, service);
    this.#runner = new CallRunner(api, this.#router, options);
    this.#base = `${(options.basePath ?? "").replace(/\/*$/, "")}/`;
  }

  /** Answers a request. Never throws nor rejects. */
  handle(request: Incoming): Eventually<Outgoing> {
    this.#active++;
    return this.#settle(request, true);
  }

  /** Refuses what comes, and waits for what is under way. */
  async close(timeout: number = 10_000): Promise<void> {
    this.#isClosing = true;
    if (this.#active === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeout);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #settle(request: Incoming, canBatch: boolean): Eventually<Outgoing> {
    const started = this.#options.log === undefined ? 0 : performance.now();
    const isPart = !canBatch;
    const work: Work = { request, started, isPart, endpoint: undefined };
    try {
      const answer = this.#answer(work, canBatch);
      if (!isPending(answer)) return this.#finish(answer, work, undefined);
      return answer.then(
        (later) => this.#finish(later, work, undefined),
        (error: unknown) => this.#fail(error, work),
      );
    } catch (error) {
      return this.#fail(error, work);
    }
  }

  #fail(error: unknown, work: Work): Outgoing {
    const method = work.endpoint?.method;
    const answer = writeFailure(error, this.#api, method, this.#options);
    return this.#finish(answer, work, error);
  }

  #answer(work: Work, canBatch: boolean): Eventually<Outgoing> {
    const { request } = work;
    if (this.#isClosing && canBatch) throw closing();
    const { target } = request;
    const mark = target.indexOf("?");
    const full = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? "" : target.slice(mark + 1);
    if (!full.startsWith(this.#base) || hasDotSegment(full))
      throw unknownPath();
    const path = full.slice(this.#base.length);
    const override =
      request.method === "POST"
        ? request.header("x-http-method-override")?.toUpperCase()
        : undefined;
    const verb = override ?? request.method;
    if (canBatch && path === this.#api.batchPath && verb === "POST")
      return this.#batch(request);
    const found = this.#router.find(verb, path);
    if (found === undefined) return this.#unrouted(request, verb, path);
    work.endpoint = found.target;
    return this.#runner.run(found, request, query, override !== undefined);
  }

  #batch(request: Incoming): Promise<Outgoing> {
    const { batch } = this.#api;
    if (batch === undefined) throw unknownPath();
    return batch(request, this.#options, async (part) =>
      this.#settle(part, false),
    );
  }

  /** No route: what the path has is told to OPTIONS and by 405. */
  #unrouted(request: Incoming, verb: string, path: string): Outgoing {
    const allowed = this.#router.allowed(path);
    if (allowed.length === 0) throw unknownPath();
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (verb === "OPTIONS")
      return {
        status: 204,
        headers: { allow, ...preflight(request, allow, this.#options.cors) },
      };
    throw usual(405, "The path does not have this HTTP method.", {
      headers: { allow },
    });
  }

  #finish(answer: Outgoing, work: Work, error: unknown): Outgoing {
    const { cors, requestId, log } = this.#options;
    const { request } = work;
    const { headers } = answer;
    if (cors !== undefined) Object.assign(headers, corsHeaders(request, cors));
    const id = requestId?.(request);
    if (id !== undefined) headers["x-request-id"] = id;
    if (log !== undefined) this.#log(answer, work, id, error);
    if (!work.isPart && --this.#active === 0) this.#onIdle?.();
    return answer;
  }

  /** A log that fails must not take the answer with it. */
  #log(
    { status }: Outgoing,
    { request, endpoint, started }: Work,
    requestId: string | undefined,
    error: unknown,
  ): void {
    const duration = performance.now() - started;
    const method = endpoint?.info;
    try {
      this.#options.log!({
        request,
        method,
        status,
        duration,
        requestId,
        error,
      });
    } catch {
      // See above.
    }
  }
}

function unknownPath(): ApiError {
  return usual(404, "No method of this API has this path.");
}

function closing(): ApiError {
  return usual(503, "The server is shutting down.", {
    headers: { connection: "close", "retry-after": "5" },
  });
}

import {
  askedOf,
  JSON_TYPE,
  writeAnswer,
  type AnswerSettings,
} from "./answer.js";
import type { Api } from "./api.js";
import { readBody, readForm } from "./body.js";
import { ServerCall } from "./call.js";
import { buildRoutes, type Endpoint } from "./endpoint.js";
import { usualEnvelope } from "./envelope.js";
import { ApiError } from "./error.js";
import { corsHeaders, preflight } from "./cors.js";
import { guard } from "./hooks.js";
import type { ServerOptions } from "./options.js";
import { ParameterReader } from "./parameters.js";
import { hasDotSegment } from "./percent.js";
import type { Incoming, Outgoing } from "./request.js";
import type { Found, Router } from "./router.js";

/** What is known of a request while it is at work. */
interface Work {
  readonly request: Incoming;
  readonly started: number;
  endpoint: Endpoint | undefined;
  error: unknown;
}

/** Takes requests from the path to the answer. */
export class Dispatcher {
  readonly #options: ServerOptions;
  readonly #router: Router<Endpoint>;
  readonly #settings: AnswerSettings;
  /** Length of what stands in the path before the routes, its slash included. */
  readonly #base: string;
  #isClosing = false;
  #active = 0;
  #onIdle: (() => void) | undefined;

  constructor(api: Api, service: object, options: ServerOptions) {
    this.#options = options;
    this.#router = buildRoutes(api, service);
    this.#base = `${(options.basePath ?? "").replace(/\/*$/, "")}/`;
    this.#settings = {
      wrap: api.wrap === true,
      validate: options.validateAnswers === true,
    };
  }

  /** Answers a request. Never rejects. */
  async handle(request: Incoming): Promise<Outgoing> {
    const started = this.#options.log === undefined ? 0 : performance.now();
    const work: Work = {
      request,
      started,
      endpoint: undefined,
      error: undefined,
    };
    this.#active++;
    let answer: Outgoing;
    try {
      answer = await this.#answer(work);
    } catch (error) {
      work.error = error;
      answer = this.#fail(error);
    }
    if (--this.#active === 0) this.#onIdle?.();
    return this.#finish(answer, work);
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

  async #answer(work: Work): Promise<Outgoing> {
    const { request } = work;
    if (this.#isClosing)
      throw new ApiError(503, "The server is shutting down.", {
        headers: { connection: "close", "retry-after": "5" },
      });
    const mark = request.target.indexOf("?");
    const full = mark === -1 ? request.target : request.target.slice(0, mark);
    const query = mark === -1 ? "" : request.target.slice(mark + 1);
    if (!full.startsWith(this.#base) || hasDotSegment(full))
      throw unknownPath(request.method);
    const path = full.slice(this.#base.length);
    const override =
      request.method === "POST"
        ? request.header("x-http-method-override")
        : undefined;
    const verb = override?.toUpperCase() ?? request.method;
    const found = this.#router.find(verb, path);
    if (found === undefined) return this.#unrouted(request, verb, path);
    work.endpoint = found.target;
    const reader = this.#read(found, request, query);
    if (override !== undefined || found.target.method.forms !== undefined)
      await readForm(request, found.target.method, reader, this.#options);
    return this.#call(found.target, request, reader);
  }

  /** No route: what the path has is told to OPTIONS and by 405. */
  #unrouted(request: Incoming, verb: string, path: string): Outgoing {
    const allowed = this.#router.allowed(path);
    if (allowed.length === 0) throw unknownPath(request.method);
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (verb === "OPTIONS")
      return {
        status: 204,
        headers: { allow, ...preflight(request, allow, this.#options.cors) },
      };
    throw new ApiError(405, `The path has no method ${verb}.`, {
      headers: { allow },
    });
  }

  /** Path, query and headers, whatever is wrong with them. */
  #read(
    found: Found<Endpoint>,
    request: Incoming,
    query: string,
  ): ParameterReader {
    const { parameters } = found.target;
    const { unknownParameters, unknownEnums } = this.#options;
    const reader = new ParameterReader(
      parameters,
      unknownParameters === "reject",
      unknownEnums === "accept",
    );
    const { captures } = found.template;
    for (let index = 0; index < captures.length; index++) {
      const { name, isMulti } = captures[index]!;
      reader.path(name, this.#router.capture(found, index), isMulti);
    }
    if (query !== "") reader.query(query);
    if (parameters.headers.length > 0) reader.headers(request);
    return reader;
  }

  async #call(
    endpoint: Endpoint,
    request: Incoming,
    reader: ParameterReader,
  ): Promise<Outgoing> {
    const options = this.#options;
    const { info, method, handler } = endpoint;
    const isGuarded =
      options.authenticate !== undefined || options.rateLimit !== undefined;
    const auth = isGuarded
      ? await guard(info, request, reader.values, options)
      : undefined;
    // Before defaults are filled in: prettyPrint is only obeyed where it is sent.
    const asked = askedOf(reader.values);
    const params = reader.finish();
    if (handler === undefined)
      throw new ApiError(501, `${method.id} is not implemented.`);
    const body =
      method.body === undefined
        ? undefined
        : await readBody(request, method, this.#settings.wrap, options);
    const call = new ServerCall(request, info, { params, body, auth });
    if (
      options.authorize !== undefined &&
      (await options.authorize(call)) === false
    )
      throw new ApiError(403, "The caller does not have permission.");
    const result = await handler(call);
    return writeAnswer(result, endpoint, asked, this.#settings);
  }

  /** A failure as the API writes it; of what is no ApiError nothing is told. */
  #fail(thrown: unknown): Outgoing {
    const error =
      thrown instanceof ApiError
        ? thrown
        : new ApiError(500, "Internal error.");
    const write = this.#options.envelope ?? usualEnvelope;
    return {
      status: error.status,
      headers: { "content-type": JSON_TYPE, ...error.extras.headers },
      body: JSON.stringify(write(error)),
    };
  }

  #finish(answer: Outgoing, work: Work): Outgoing {
    const { cors, requestId, log } = this.#options;
    const { request, endpoint } = work;
    const { headers } = answer;
    if (cors !== undefined) Object.assign(headers, corsHeaders(request, cors));
    const id = requestId?.(request);
    if (id !== undefined) headers["x-request-id"] = id;
    if (log !== undefined) {
      const duration = performance.now() - work.started;
      const { status } = answer;
      const { error } = work;
      quietly(() =>
        log({
          request,
          method: endpoint?.info,
          status,
          duration,
          requestId: id,
          error,
        }),
      );
    }
    return answer;
  }
}

function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // A log that fails must not take the answer with it.
  }
}

function unknownPath(verb: string): ApiError {
  return new ApiError(
    404,
    `No method of this API has this path (${verb.slice(0, 20)}).`,
  );
}

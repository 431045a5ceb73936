/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "../contract.js";
import { CallRunner } from "./call-runner.js";
import { addCors, mergeVary, preflight } from "../cors.js";
import { buildRoutes, type Endpoint } from "./endpoints.js";
import { standardError, type ApiError } from "../error.js";
import { writeFailure } from "../responses/failure.js";
import { createForward, type Forward } from "../adapters/forwarded.js";
import { addHeaders } from "../headers.js";
import type { ServerOptions } from "../options.js";
import type { Incoming, Outgoing } from "../request.js";
import { isPending, type MaybePromise } from "../maybe-promise.js";
import type { Router } from "../routing/router.js";
import {
  InFlightRequests,
  type InFlightRequest,
} from "./in-flight-requests.js";

/** State of a request that is being processed. */
interface RequestState {
  readonly request: Incoming;
  readonly started: number;
  /** True for a call within a batch. */
  readonly isPart: boolean;
  endpoint: Endpoint | undefined;
  /** Entry in the list of requests in flight. */
  entry: InFlightRequest | undefined;
}

/** Routes requests to the methods of an API. */
export class Dispatcher {
  readonly #api: ApiDefinition;
  readonly #options: ServerOptions;
  readonly #router: Router<Endpoint>;
  readonly #runner: CallRunner;
  /** Path prefix of all routes, with a trailing slash. */
  readonly #base: string;
  readonly #forward: Forward | undefined;
  readonly #inFlight = new InFlightRequests();
  #isClosing = false;

  constructor(api: ApiDefinition, service: object, options: ServerOptions) {
    this.#api = api;
    this.#options = options;
    this.#router = buildRoutes(api, service);
    this.#runner = new CallRunner(api, this.#router.targets, options);
    this.#forward = createForward(options);
    this.#base = `${(options.basePath ?? "").replace(/\/*$/, "")}/`;
  }

  /** Handles a request. Never throws or rejects. */
  handle(request: Incoming): MaybePromise<Outgoing> {
    return this.#run(this.#forward?.(request) ?? request, true);
  }

  /**
   * Rejects new requests and waits for requests in flight. After the timeout in
   * milliseconds, aborts the remaining requests.
   */
  async close(timeout: number = 10_000): Promise<void> {
    this.#isClosing = true;
    await this.#inFlight.drain(timeout, closing());
  }

  /**
   * Returns true if the API has a route for a path, regardless of the HTTP
   * method, or if the path is that of a description.
   */
  serves(target: string): boolean {
    const { path } = this.#split(target);
    if (path === undefined) return false;
    const isBatch =
      this.#api.batch !== undefined && path === this.#api.batchPath;
    return (
      isBatch ||
      this.#router.allowed(path).length > 0 ||
      this.#options.descriptions?.serves(path) === true
    );
  }

  /**
   * Splits a request target into path and query. The path is relative to the
   * base path.
   */
  #split(target: string): { path: string | undefined; query: string } {
    const mark = target.indexOf("?");
    const full = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? "" : target.slice(mark + 1);
    const isOurs = full.startsWith(this.#base);
    return { path: isOurs ? full.slice(this.#base.length) : undefined, query };
  }

  #run(request: Incoming, canBatch: boolean): MaybePromise<Outgoing> {
    const started = this.#options.log === undefined ? 0 : performance.now();
    const isPart = !canBatch;
    const state: RequestState = {
      request,
      started,
      isPart,
      endpoint: undefined,
      entry: undefined,
    };
    try {
      const response = this.#route(state, canBatch);
      if (!isPending(response)) return this.#finish(response, state, undefined);
      if (canBatch) state.entry = this.#inFlight.add(request);
      return response.then(
        (settled) => this.#finish(settled, state, undefined),
        (error: unknown) => this.#fail(error, state),
      );
    } catch (error) {
      return this.#fail(error, state);
    }
  }

  #fail(error: unknown, state: RequestState): Outgoing {
    const method = state.endpoint?.method;
    const response = writeFailure(error, this.#api, method, this.#options);
    return this.#finish(response, state, error);
  }

  #route(state: RequestState, canBatch: boolean): MaybePromise<Outgoing> {
    const { request } = state;
    if (this.#isClosing && canBatch) throw closing();
    const { path, query } = this.#split(request.target);
    if (path === undefined) throw unknownPath();
    const override =
      request.method === "POST"
        ? request.header("x-http-method-override")?.toUpperCase()
        : undefined;
    const httpMethod = override ?? request.method;
    if (canBatch && path === this.#api.batchPath && httpMethod === "POST")
      return this.#batch(request);
    const match = this.#router.find(httpMethod, path);
    if (match === undefined)
      return this.#unrouted(request, httpMethod, path, query);
    state.endpoint = match.target;
    return this.#runner.run(match, request, query, override !== undefined);
  }

  #batch(request: Incoming): Promise<Outgoing> {
    const { batch } = this.#api;
    if (batch === undefined) throw unknownPath();
    return batch(
      request,
      this.#options,
      (part) => this.#run(part, false),
      (error) => writeFailure(error, this.#api, undefined, this.#options),
    );
  }

  /**
   * Responds to a request without a matching route. A path of a description
   * results in the description, other unknown paths in 404. For a known path,
   * the response lists the allowed HTTP methods; its status is 405, except for
   * OPTIONS requests.
   */
  #unrouted(
    request: Incoming,
    httpMethod: string,
    path: string,
    query: string,
  ): Outgoing {
    const allowed = this.#router.allowed(path);
    if (allowed.length === 0) {
      const { descriptions, origin } = this.#options;
      const description = descriptions?.respond(request, {
        path,
        query,
        basePath: this.#base.slice(0, -1),
        isFixedOrigin: origin !== undefined,
      });
      if (description !== undefined) return description;
      throw unknownPath();
    }
    const allow = [...allowed, "OPTIONS"].join(", ");
    if (httpMethod === "OPTIONS")
      return {
        status: 204,
        headers: { allow, ...preflight(request, allow, this.#options.cors) },
      };
    throw standardError(405, "The path does not support this HTTP method.", {
      headers: { allow },
    });
  }

  #finish(response: Outgoing, state: RequestState, error: unknown): Outgoing {
    const { cors, log } = this.#options;
    const { request } = state;
    const { headers } = response;
    if (cors !== undefined) addCors(headers, request, cors);
    const hookError = this.#addHookHeaders(headers, state);
    if (log !== undefined) this.#log(response, state, error ?? hookError);
    return state.isPart
      ? response
      : this.#inFlight.finish(request, response, state.entry);
  }

  /**
   * Adds the headers from the server's hooks to a response. If a hook throws an
   * error, returns the error instead of throwing it, so that the response is
   * still sent.
   */
  #addHookHeaders(
    headers: Record<string, string>,
    { request, endpoint }: RequestState,
  ): unknown {
    const { requestId, headers: common } = this.#options;
    try {
      if (requestId !== undefined)
        addHeaders(headers, { "x-request-id": requestId(request) });
      if (common !== undefined) {
        const { vary } = headers;
        addHeaders(headers, common(request, endpoint?.info));
        mergeVary(headers, vary);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /**
   * Calls the log hook. Errors of the hook are ignored, so that the response is
   * still sent.
   */
  #log(
    { status, headers }: Outgoing,
    { request, endpoint, started }: RequestState,
    error: unknown,
  ): void {
    const duration = performance.now() - started;
    const method = endpoint?.info;
    const requestId = headers["x-request-id"];
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
      // Errors of the log hook must not prevent the response.
    }
  }
}

function unknownPath(): ApiError {
  return standardError(404, "No method of this API has this path.");
}

function closing(): ApiError {
  return standardError(503, "The server is shutting down.", {
    headers: { connection: "close", "retry-after": "5" },
  });
}

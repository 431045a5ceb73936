/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "./contract.js";
import { Dispatcher } from "./dispatch/dispatcher.js";
import { handleFetch } from "./fetch.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";

/** Server of an API. It can receive requests from any platform. */
export interface Server {
  /** Definition of the API. */
  readonly api: ApiDefinition;
  /** Handles a `Request` object of the Fetch API. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Tests whether the API has a route for a path, regardless of the HTTP
   * method. The path can be followed by a query.
   */
  serves(target: string): boolean;
  /**
   * Handles a request in the form that adapters for all platforms use. Returns
   * the response synchronously if possible. Never throws.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Rejects further requests with 503. Waits for requests in flight, including
   * streamed responses.
   *
   * @param timeout time in milliseconds after which the remaining requests are
   *   aborted and their streams are closed. Default: 10,000. After the timeout,
   *   closing can take up to one more second.
   */
  close(timeout?: number): Promise<void>;
}

/** Options of a framework adapter. */
export interface AdapterOptions {
  /**
   * True if the adapter passes requests for unknown paths to the next handler
   * of the framework. Default: false; such requests result in 404.
   */
  readonly fallThrough?: boolean;
}

/** Creates the server of an API from its definition and the handlers. */
export function createServer<A>(
  api: ApiDefinition,
  service: object,
  options: ServerOptions<A> = {},
): Server {
  const dispatcher = new Dispatcher(api, service, options as ServerOptions);
  const handle = (request: Incoming) => dispatcher.handle(request);
  return {
    api,
    handle,
    serves: (target) => dispatcher.serves(target),
    fetch: (request) => handleFetch(request, handle),
    close: (timeout) => dispatcher.close(timeout),
  };
}

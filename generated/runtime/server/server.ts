/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "./contract.js";
import { Dispatcher } from "./dispatch/dispatcher.js";
import { handleFetch } from "./fetch.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";

/** Server of an API, independent of any listener. */
export interface Server {
  /** Definition of the API. */
  readonly api: ApiDefinition;
  /** Handles a request of the Fetch standard. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns true if the API has a route for this path (and query), regardless
   * of the HTTP method.
   */
  serves(target: string): boolean;
  /**
   * Handles a request from any platform, synchronously if possible. Called by
   * adapters. Never throws.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Rejects further requests with 503, and waits for requests in flight,
   * including streamed responses.
   *
   * @param timeout time in milliseconds after which the remaining requests are
   *   aborted and their streams are closed. Default: 10,000. Closing can take
   *   another second after the timeout.
   */
  close(timeout?: number): Promise<void>;
}

/** Options of a framework adapter. */
export interface AdapterOptions {
  /**
   * True if the adapter passes requests for unknown paths to the framework's
   * next handler. Default: false; such requests get 404.
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

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
   * Handles a request of any platform, synchronously if possible; called by
   * adapters. Never throws.
   */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Refuses further requests with 503, and waits for requests in flight,
   * including streamed responses.
   *
   * @param timeout milliseconds until the remaining requests are aborted and
   *   their streams closed; default 10,000. Closing takes at most one more
   *   second.
   */
  close(timeout?: number): Promise<void>;
}

/** Settings of a framework adapter. */
export interface AdapterOptions {
  /**
   * True if unknown paths are passed to the framework's next handler. Default:
   * false; they get 404.
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

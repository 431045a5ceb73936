/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "./contract.js";
import { Dispatcher } from "./dispatch/dispatcher.js";
import { handleFetch } from "./fetch.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";

/** A server of an API; it listens nowhere by itself. */
export interface Server {
  /** The API as its description has it. */
  readonly api: ApiDefinition;
  /** Answers a request of the Fetch standard. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Whether the API has something at this path (and query), whatever the HTTP method. */
  serves(target: string): boolean;
  /** Answers a request of any platform, at once if it can; adapters call it. Never throws. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Refuses further requests with 503, and waits for those under way, answers
   * that are streams included.
   *
   * @param timeout milliseconds after which their signals are aborted and their
   *   streams broken off; default 10,000. It takes a second more at most.
   */
  close(timeout?: number): Promise<void>;
}

/** How a server works within a framework. */
export interface AdapterOptions {
  /** Whether paths that the API does not have go to the framework's next handler. Default: no, they are 404. */
  readonly fallThrough?: boolean;
}

/** Makes the server of an API from its route table and the handlers. */
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

import type { Api } from "./api.js";
import { Dispatcher } from "./dispatch.js";
import { handleFetch } from "./fetch.js";
import type { ServerOptions } from "./options.js";
import type { Incoming, Outgoing } from "./request.js";

/** A server of an API; it listens nowhere by itself. */
export interface Server {
  /** The API as its description has it. */
  readonly api: Api;
  /** Answers a request of the Fetch standard. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request of any platform, at once if it can; adapters call it. Never throws. */
  handle(request: Incoming): Outgoing | Promise<Outgoing>;
  /**
   * Refuses further requests with 503, and waits for those under way.
   *
   * @param timeout milliseconds after which it waits no longer; default 10,000.
   */
  close(timeout?: number): Promise<void>;
}

/** Makes the server of an API from its route table and the handlers. */
export function createServer<A>(
  api: Api,
  service: object,
  options: ServerOptions<A> = {},
): Server {
  const dispatcher = new Dispatcher(api, service, options as ServerOptions);
  const handle = (request: Incoming) => dispatcher.handle(request);
  return {
    api,
    handle,
    fetch: (request) => handleFetch(request, handle),
    close: (timeout) => dispatcher.close(timeout),
  };
}

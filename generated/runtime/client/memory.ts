/* eslint-disable */
// biome-ignore-all lint: generated

import type { Fetch } from "./options.js";

/**
 * Creates a transport that calls a server in the same process, such as a
 * generated server, for tests without a network. An exception thrown by the
 * server becomes an ApiError of kind `network`.
 */
export function memoryTransport(server: {
  fetch(request: Request): Response | Promise<Response>;
}): Fetch {
  return async (url, init) => {
    const response = await server.fetch(new Request(url, init));
    init.signal?.throwIfAborted();
    return response;
  };
}

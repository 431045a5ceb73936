/* eslint-disable */
// biome-ignore-all lint: generated

import type { Fetch } from "./options.js";

/**
 * A transport that calls a server in the same process, such as a generated
 * one, without a network: for tests. What it throws is a network error.
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

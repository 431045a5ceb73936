/* eslint-disable */
// biome-ignore-all lint: generated

import type { Fetch } from "../client/options.js";
import {
  toNodeListener,
  type NodeRequest,
  type NodeResponse,
} from "../server/node.js";
import { isRedirectStatus } from "../server/responses/redirects.js";
import type { Server } from "../server/server.js";

/** Connection between a client and the server to check. */
export interface Connection {
  /** Name of the transport that the connection uses. */
  readonly name: "memory" | "http";
  readonly rootUrl: string;
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Content to which redirects point. */
export const TARGET: string = "content of the redirect target \u{1f600}";

/** Path to which redirects point. No API uses this path. */
export const TARGET_PATH: string = "/.conformance/target";

const BINARY = { "content-type": "application/octet-stream" };

/**
 * Connects a client and a server in memory, without a network. Follows
 * redirects as `fetch` does.
 */
export function inMemory(server: Server): Connection {
  const rootUrl = "http://conformance.test/";
  const reach: Fetch = async (url, init) => {
    if (url.endsWith(TARGET_PATH))
      return new Response(bytesOf(TARGET), { headers: BINARY });
    const response = await server.fetch(new Request(url, init));
    init.signal?.throwIfAborted();
    const location = response.headers.get("location");
    const isMoved = isRedirectStatus(response.status);
    if (!isMoved || location === null || init.redirect === "manual")
      return response;
    return reach(location, { method: "GET" });
  };
  return { name: "memory", rootUrl, fetch: reach, close: async () => {} };
}

/**
 * Connects a client and a server over `node:http`. The server listens on a port
 * of the loopback interface.
 */
export async function overHttp(server: Server): Promise<Connection> {
  const listener = toNodeListener(server);
  const listening = builtinHttp().createServer((request, response) => {
    if (request.url !== TARGET_PATH) return listener(request, response);
    response.writeHead(200, BINARY);
    response.end(TARGET);
  });
  await new Promise<void>((resolve, reject) => {
    listening.on("error", reject);
    listening.listen(0, "127.0.0.1", resolve);
  });
  // Lets the process exit even if the connection is not closed.
  listening.unref();
  const rootUrl = `http://127.0.0.1:${listening.address().port}/`;
  const close = () =>
    new Promise<void>((resolve) => {
      listening.close(() => resolve());
      listening.closeAllConnections();
    });
  return {
    name: "http",
    rootUrl,
    fetch: (url, init) => fetch(url, init),
    close,
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/**
 * Members of `node:http` that the checks use. They are declared here because
 * not every project has type declarations for Node.
 */
interface NodeHttp {
  createServer(
    listener: (request: NodeRequest, response: NodeResponse) => void,
  ): Listening;
}

interface Listening {
  on(event: "error", listener: (error: unknown) => void): unknown;
  listen(port: number, host: string, listener: () => void): unknown;
  address(): { readonly port: number };
  unref(): unknown;
  close(listener: () => void): unknown;
  closeAllConnections(): void;
}

/**
 * Returns the module `node:http`.
 *
 * @throws TypeError if Node is older than 20.16, or if the runtime environment
 *   is not Node.
 */
function builtinHttp(): NodeHttp {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): NodeHttp };
  };
  const found = process?.getBuiltinModule?.("node:http");
  if (found === undefined)
    throw new TypeError("checks over node:http require Node 20.16 or later");
  return found;
}

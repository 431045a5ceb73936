/* eslint-disable */
// biome-ignore-all lint: generated

import { toNodeListener, type NodeRequest, type NodeResponse } from "./node.js";
import type { Server } from "./server.js";

/**
 * Settings of `http.createServer` that limit the resources that a connection
 * can use. `requestTimeout` is disabled, because an upload may take any amount
 * of time while it makes progress. Instead, the timeouts in the server's
 * `limits` apply to bodies.
 */
export const nodeServerOptions = {
  /** Timeout in milliseconds for receiving the headers of a request. */
  headersTimeout: 10_000,
  requestTimeout: 0,
  /** Timeout in milliseconds for the next request on a connection. */
  keepAliveTimeout: 5_000,
  /** Interval in milliseconds at which Node checks `headersTimeout`. */
  connectionsCheckingInterval: 1_000,
  /** Maximum size of a request's headers in bytes. */
  maxHeaderSize: 16_384,
} as const;

/** Maximum number of headers per request. Node ignores further headers. */
const HEADERS = 200;

/**
 * Maximum number of requests on a connection. The connection is closed after
 * this number.
 */
const REQUESTS = 10_000;

/**
 * Maximum time in milliseconds for sending the remaining responses when the
 * server is closed.
 */
const SEND_TIME = 1000;

/** Members of Node's `http.Server` that `listen` uses. */
export interface NodeServer {
  maxHeadersCount: number | null;
  maxRequestsPerSocket: number | null;
  listen(port: number, host: string, listening: () => void): unknown;
  address(): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  close(callback: () => void): unknown;
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

/** Members of Node's module `http` or `https` that `listen` uses. */
export interface NodeHttp<S extends NodeServer> {
  createServer(
    options: object,
    listener: (request: NodeRequest, response: NodeResponse) => void,
  ): S;
}

/** Address and settings of a listening server. */
export interface ListenOptions {
  /** Port to listen on. Default: a free port. */
  readonly port?: number;
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Host names that are allowed in the `Host` header; see {@link
   * NodeListenerOptions}. Default: all host names.
   */
  readonly hosts?: readonly string[];
  /**
   * Additional settings of `createServer`, such as the key and certificate for
   * `https`. They override {@link nodeServerOptions}.
   */
  readonly options?: object;
}

/** Server that is listening. */
export interface Listening<S> {
  readonly port: number;
  /** Underlying Node server. */
  readonly node: S;
  /**
   * Stops listening, waits for requests in flight, then closes all connections.
   *
   * @param timeout see {@link Server.close}.
   */
  close(timeout?: number): Promise<void>;
}

/**
 * Starts a server with Node's `http` or `https`, and with limits that protect
 * it from slow and abusive callers: `await listen(http, server, { port: 8080
 * })`.
 *
 * @throws the error that prevents Node from listening.
 */
export async function listen<S extends NodeServer>(
  http: NodeHttp<S>,
  server: Pick<Server, "handle" | "close">,
  { port = 0, host = "127.0.0.1", hosts, options = {} }: ListenOptions = {},
): Promise<Listening<S>> {
  const settings = { ...nodeServerOptions, ...options };
  const node = http.createServer(settings, toNodeListener(server, { hosts }));
  node.maxHeadersCount = HEADERS;
  node.maxRequestsPerSocket = REQUESTS;
  await new Promise<void>((resolve, reject) => {
    node.once("error", reject);
    node.listen(port, host, resolve);
  });
  return {
    port: (node.address() as { port: number }).port,
    node,
    async close(timeout) {
      const closed = new Promise<void>((resolve) => node.close(resolve));
      // Idle connections are closed at short intervals, so that each connection
      // is closed soon after its last response has been sent.
      const sweep = setInterval(() => node.closeIdleConnections(), 20);
      await server.close(timeout);
      const last = setTimeout(() => node.closeAllConnections(), SEND_TIME);
      await closed;
      clearInterval(sweep);
      clearTimeout(last);
    },
  };
}

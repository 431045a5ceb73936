/* eslint-disable */
// biome-ignore-all lint: generated

import { toNodeListener, type NodeRequest, type NodeResponse } from "./node.js";
import type { Server } from "./server.js";

/**
 * Settings of `http.createServer` that limit the cost of a connection.
 * `requestTimeout` is disabled because an upload may take any time as long as
 * it makes progress; the server's `limits` bound the time of bodies.
 */
export const nodeServerOptions = {
  /** Milliseconds to receive the headers of a request. */
  headersTimeout: 10_000,
  requestTimeout: 0,
  /** Milliseconds between requests of a connection. */
  keepAliveTimeout: 5_000,
  /** Milliseconds between checks of the timeouts above. */
  connectionsCheckingInterval: 1_000,
  /** Limit of a request's headers in bytes. */
  maxHeaderSize: 16_384,
} as const;

/** Limit of headers per request; Node ignores further ones. */
const HEADERS = 200;

/** Requests per connection before it is closed. */
const REQUESTS = 10_000;

/** Milliseconds for written responses to be sent when the server closes. */
const SEND_TIME = 1000;

/** Subset of Node's `http.Server`. */
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

/** Subset of Node's module `http` or `https`. */
export interface NodeHttp<S extends NodeServer> {
  createServer(
    options: object,
    listener: (request: NodeRequest, response: NodeResponse) => void,
  ): S;
}

/** Address and settings of a listening server. */
export interface ListenOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Allowed names in the `Host` header, see {@link NodeListenerOptions}.
   * Default: all.
   */
  readonly hosts?: readonly string[];
  /**
   * Settings of `createServer` in addition to {@link nodeServerOptions}; for
   * `https` the key and certificate.
   */
  readonly options?: object;
}

/** Listening server. */
export interface Listening<S> {
  readonly port: number;
  /** Underlying Node server. */
  readonly node: S;
  /**
   * Stops listening, waits for requests in flight, and closes all connections.
   *
   * @param timeout see {@link Server.close}.
   */
  close(timeout?: number): Promise<void>;
}

/**
 * Listens with Node's `http` or `https`, with limits against slow and abusive
 * callers: `await listen(http, server, { port: 8080 })`.
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
      // A connection becomes idle once its response is sent.
      const sweep = setInterval(() => node.closeIdleConnections(), 20);
      await server.close(timeout);
      const last = setTimeout(() => node.closeAllConnections(), SEND_TIME);
      await closed;
      clearInterval(sweep);
      clearTimeout(last);
    },
  };
}

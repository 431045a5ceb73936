/* eslint-disable */
// biome-ignore-all lint: generated

import { toNodeListener, type NodeRequest, type NodeResponse } from "./node.js";
import type { Server } from "./server.js";

/**
 * Settings of `http.createServer` that bound what a connection may cost. Time
 * for bodies is bounded by the server's `limits`, since an upload may take as
 * long as it goes on: hence no `requestTimeout`.
 */
export const nodeServerOptions = {
  /** Milliseconds for the headers of a request. */
  headersTimeout: 10_000,
  requestTimeout: 0,
  /** Milliseconds between requests of a connection. */
  keepAliveTimeout: 5_000,
  /** How often the two are looked at, in milliseconds. */
  connectionsCheckingInterval: 1_000,
  /** Bytes of the headers of a request. */
  maxHeaderSize: 16_384,
} as const;

/** Headers of a request; Node ignores those behind. */
const HEADERS = 200;

/** Requests of one connection, after which it is closed. */
const REQUESTS = 10_000;

/** Milliseconds for answers that are written to leave, when the server closes. */
const LAST = 1000;

/** What the runtime uses of Node's `http.Server`. */
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

/** What the runtime uses of Node's module `http`, or of `https`. */
export interface NodeHttp<S extends NodeServer> {
  createServer(
    options: object,
    listener: (request: NodeRequest, response: NodeResponse) => void,
  ): S;
}

/** Where a server listens. */
export interface ListenOptions {
  /** Default: one that is free. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Names in `Host` under which the server may be called, see {@link NodeListenerOptions}. Default: all. */
  readonly hosts?: readonly string[];
  /** Settings of `createServer` besides {@link nodeServerOptions}; for `https` key and certificate. */
  readonly options?: object;
}

/** A server that listens. */
export interface Listening<S> {
  readonly port: number;
  /** Node's own server. */
  readonly node: S;
  /**
   * Stops listening, waits for what is under way, and closes all connections.
   *
   * @param timeout see {@link Server.close}.
   */
  close(timeout?: number): Promise<void>;
}

/**
 * Listens with Node's `http` or `https`, with bounds on slow and greedy callers:
 * `await listen(http, server, { port: 8080 })`.
 *
 * @throws whatever keeps Node from listening.
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
      // Connections become idle when their answers have left.
      const sweep = setInterval(() => node.closeIdleConnections(), 20);
      await server.close(timeout);
      const last = setTimeout(() => node.closeAllConnections(), LAST);
      await closed;
      clearInterval(sweep);
      clearTimeout(last);
    },
  };
}

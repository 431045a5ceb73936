import http from "node:http";
import https from "node:https";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import {
  nodeServerOptions,
  toNodeListener,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { DEFAULT_HOST_CONFIG } from "./host-config.js";
import type { Credentials } from "./tls.js";
import { HostNames } from "../platform/host-names.js";
import { RequestDispatcher, type HostedService } from "./request-dispatcher.js";
import type { LogLine } from "./service.js";
import type { Tracing } from "./tracing.js";

/** HTTP server that runs several services. */
export interface Host {
  /** Origin of the server, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /**
   * Prepares the end of the server: further requests are served with
   * `connection: close`, so that clients and load balancers move to another
   * server. Resolves when no connection is left, or after `drain` milliseconds.
   */
  drain(): Promise<void>;
  /** Stops listening, waits for requests in flight and closes the services. */
  close(): Promise<void>;
}

/** Host whose settings can change while it is running. */
export interface ListeningHost extends Host {
  /**
   * Applies new limits, names and certificates to further requests and
   * connections. Address, port and the choice between HTTP and TLS stay.
   */
  update(options: HostOptions): void;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  /** Returns the state of the server for probes. */
  phase(): "serving" | "draining";
}

/** Address, limits and log of a host. */
export interface HostOptions {
  /** Port to listen on; 0 selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /**
   * Function that receives a log line for each request. The line does not
   * contain the path, because a path can contain secrets.
   */
  readonly log?: (line: LogLine) => void;
  /** Traces of requests. Default: none. */
  readonly tracing?: Tracing | undefined;
  /**
   * Grace period in milliseconds for requests in flight when the host closes.
   */
  readonly grace?: number;
  /** Maximum milliseconds of `Host.drain()`. */
  readonly drain?: number;
  /** Maximum number of connections. */
  readonly connections?: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly keepAlive?: number;
  /** Milliseconds without data after which a connection is closed. */
  readonly silence?: number;
  /**
   * Host names that are accepted in the `Host` header in addition to loopback
   * names. Default: any name is accepted.
   */
  readonly names?: readonly string[] | undefined;
  /** Additional host names that are accepted; used only if `names` is set. */
  readonly origins?: readonly string[];
  /** Certificate and private key. Default: HTTP without TLS. */
  readonly credentials?: Credentials | undefined;
}

/**
 * Milliseconds by which the connection timeout must exceed the largest
 * `maxDuration` of a service, so that the service can still send its own error.
 */
const MARGIN = 10_000;

/**
 * Additional milliseconds after the grace period, so that aborted requests can
 * still receive a response.
 */
const ABORT_MARGIN = 1_500;

/** Starts an HTTP server that routes each request to a service by its path. */
export async function listen(
  services: readonly HostedService[],
  options: HostOptions = {},
): Promise<ListeningHost> {
  const { port = 0, host = "127.0.0.1", log, credentials } = options;
  const dispatcher = new RequestDispatcher(services, log, options.tracing);
  const handle = (request: Incoming): Outgoing | Promise<Outgoing> =>
    dispatcher.handle(request);
  const server = createServer(handle, credentials);
  let { grace, drain } = DEFAULT_HOST_CONFIG;
  const update = (changed: HostOptions): void => {
    grace = changed.grace ?? DEFAULT_HOST_CONFIG.grace;
    drain = changed.drain ?? DEFAULT_HOST_CONFIG.drain;
    limitServer(server, services, changed);
    const { names, origins = [] } = changed;
    dispatcher.names =
      names === undefined
        ? undefined
        : new HostNames([...names, ...origins, host]);
    if (server instanceof https.Server && changed.credentials !== undefined)
      server.setSecureContext(changed.credentials);
  };
  update(options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual, family, address } = server.address() as AddressInfo;
  const scheme = credentials === undefined ? "http" : "https";
  return {
    origin: `${scheme}://${family === "IPv6" ? `[${address}]` : host}:${actual}`,
    phase: () => (dispatcher.state === "serving" ? "serving" : "draining"),
    update,
    connections: () => countConnections(server),
    async drain() {
      dispatcher.state = "draining";
      await waitUntilUnused(server, drain);
    },
    async close() {
      dispatcher.state = "closing";
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      const ended = services.map((service) => service.close(grace));
      await endConnections(server, Promise.all([closed, ...ended]), grace);
    },
  };
}

/** Creates a server for HTTP, or for HTTPS if credentials are given. */
function createServer(
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
  credentials: Credentials | undefined,
): http.Server | https.Server {
  const listener = toNodeListener({ handle });
  return credentials === undefined
    ? http.createServer({ ...nodeServerOptions }, listener)
    : https.createServer({ ...nodeServerOptions, ...credentials }, listener);
}

/**
 * Sets the limits of a server on connections, headers and idle time. The
 * services limit the time for a request body, because an upload may continue
 * while it makes progress.
 */
function limitServer(
  server: http.Server | https.Server,
  services: readonly HostedService[],
  {
    connections = DEFAULT_HOST_CONFIG.connections,
    keepAlive = DEFAULT_HOST_CONFIG.keepAlive,
    silence = DEFAULT_HOST_CONFIG.silence,
  }: HostOptions,
): void {
  const maxDuration = Math.max(
    0,
    ...services.map((service) => service.maxDuration ?? 0),
  );
  server.keepAliveTimeout = keepAlive;
  server.maxConnections = connections;
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 10_000;
  // This timeout closes a connection if the caller stops reading or the
  // response takes too long.
  server.setTimeout(Math.max(silence, maxDuration + MARGIN));
}

function countConnections(server: net.Server): Promise<number> {
  return new Promise((resolve) =>
    server.getConnections((_, connections) => resolve(connections ?? 0)),
  );
}

/** Waits until a server has no connections, at most `time` milliseconds. */
async function waitUntilUnused(
  server: net.Server,
  time: number,
): Promise<void> {
  const end = performance.now() + time;
  while (performance.now() < end) {
    if ((await countConnections(server)) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Closes connections when they become idle. Closes all other connections one
 * second after the grace period, so that aborted requests can still receive a
 * response. Waits at most `ABORT_MARGIN` longer than the grace period.
 */
async function endConnections(
  server: http.Server | https.Server,
  ended: Promise<unknown>,
  grace: number,
): Promise<void> {
  const idleTimer = setInterval(() => server.closeIdleConnections(), 20);
  const closeTimer = setTimeout(
    () => server.closeAllConnections(),
    grace + 1_000,
  );
  server.closeIdleConnections();
  await withTimeout(ended, grace + ABORT_MARGIN);
  server.closeAllConnections();
  clearInterval(idleTimer);
  clearTimeout(closeTimer);
}

/**
 * Waits at most `time` milliseconds for a promise. Returns true if the promise
 * was settled in this time.
 */
export function withTimeout(
  promise: Promise<unknown>,
  time: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), time);
    const settled = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

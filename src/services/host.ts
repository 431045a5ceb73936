import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import {
  nodeServerOptions,
  toNodeListener,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { handleBatch, BATCH_PATH } from "./batches.js";
import { DEFAULT_HOST_CONFIG } from "./host-config.js";
import { HostNames } from "./host-names.js";
import { errorResponse } from "./error-response.js";
import { describeError, logFieldsOf } from "./log.js";
import type { LogLine, Service } from "./service.js";

/** HTTP server with several services. */
export interface Host {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Stops listening, waits for requests in flight, closes the services. */
  close(): Promise<void>;
}

/** Service with its name in the log. */
export type HostedService = Service & { readonly name?: string };

/** Members of a service that handle requests. */
type RequestHandler = Pick<HostedService, "name" | "handle">;

/** Address, limits and log of a host. */
export interface HostOptions {
  /** 0 selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Receives a line per request, without the path, which may contain secrets. */
  readonly log?: (line: LogLine) => void;
  /** Milliseconds that requests in flight may take when the host closes. */
  readonly grace?: number;
  /** Milliseconds for which an idle connection is kept open. */
  readonly keepAlive?: number;
  /** Milliseconds without data after which a connection is closed. */
  readonly silence?: number;
  /**
   * Hosts allowed in `Host` in addition to loopback. Default: any.
   */
  readonly names?: readonly string[] | undefined;
  /** Further allowed hosts; used only if `names` is set. */
  readonly origins?: readonly string[];
}

/** Milliseconds added to the slowest service's `maxDuration` before a connection is closed. */
const MARGIN = 10_000;

/** Milliseconds after the grace period in which aborted requests may end. */
const ABORT_MARGIN = 1_500;

/** Listens, and passes each request to the service with its path. */
export async function listen(
  services: readonly HostedService[],
  options: HostOptions = {},
): Promise<Host> {
  const {
    port = 0,
    host = "127.0.0.1",
    log,
    grace = DEFAULT_HOST_CONFIG.grace,
  } = options;
  const dispatcher = new RequestDispatcher(services, log);
  const maxDuration = Math.max(
    0,
    ...services.map((service) => service.maxDuration ?? 0),
  );
  const server = createBoundedServer((request) => dispatcher.handle(request), {
    ...options,
    silence: Math.max(
      options.silence ?? DEFAULT_HOST_CONFIG.silence,
      maxDuration + MARGIN,
    ),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual, family, address } = server.address() as AddressInfo;
  const { names, origins = [] } = options;
  if (names !== undefined)
    dispatcher.names = new HostNames([...names, ...origins, host]);
  return {
    origin: `http://${family === "IPv6" ? `[${address}]` : host}:${actual}`,
    async close() {
      dispatcher.isClosing = true;
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      const ended = services.map((service) => service.close(grace));
      await drain(server, Promise.all([closed, ...ended]), grace);
    },
  };
}

/**
 * Creates a server with limits on connections, headers and idle time. Services limit
 * the time for a body: an upload may continue as long as it makes progress.
 */
function createBoundedServer(
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
  {
    keepAlive = DEFAULT_HOST_CONFIG.keepAlive,
    silence = DEFAULT_HOST_CONFIG.silence,
  }: HostOptions,
): http.Server {
  const server = http.createServer(
    { ...nodeServerOptions, keepAliveTimeout: keepAlive },
    toNodeListener({ handle }),
  );
  server.maxConnections = 2_000;
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 10_000;
  // Closes connections of callers that stop reading, and of responses that take longer.
  server.setTimeout(silence);
  return server;
}

/**
 * Closes connections as they become idle, and all others one second after the grace
 * period, so that aborted requests get a response. Does not wait any longer.
 */
async function drain(
  server: http.Server,
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

/** Waits for a promise up to a time in milliseconds; returns true if it settled. */
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

/** Passes each request to its service, and logs the response. */
class RequestDispatcher {
  isClosing = false;
  /** Allowed hosts; undefined allows any. */
  names: HostNames | undefined;
  readonly #services: readonly HostedService[];
  readonly #log: ((line: LogLine) => void) | undefined;

  constructor(
    services: readonly HostedService[],
    log?: (line: LogLine) => void,
  ) {
    this.#services = services;
    this.#log = log;
  }

  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    const service = serviceFor(this.#services, request.target);
    if (service === undefined && pathOf(request.target) === BATCH_PATH)
      return this.#dispatch(request, this.#batches);
    return this.#dispatch(request, service);
  }

  /** Handles batches, whose calls may go to several services but not to a nested batch. */
  readonly #batches: RequestHandler = {
    name: "host",
    handle: (request) =>
      handleBatch(request, (call) =>
        this.#dispatch(call, serviceFor(this.#services, call.target)),
      ),
  };

  #dispatch(
    request: Incoming,
    service: RequestHandler | undefined,
  ): Outgoing | Promise<Outgoing> {
    const started = performance.now();
    const id = requestId(request);
    const finish = ({ headers, ...rest }: Outgoing): Outgoing => {
      // Copied because the service may return the same object again.
      const response = { ...rest, headers: { "x-request-id": id, ...headers } };
      this.#logRequest(request, service, response, started);
      return response;
    };
    if (this.isClosing) return finish(closing());
    if (this.names?.allows(request.header("host")) === false)
      return finish(misdirected());
    if (service === undefined) return finish(notFound());
    try {
      const result = service.handle(request);
      return result instanceof Promise
        ? result.then(finish, (error) => finish(this.#failed(service, error)))
        : finish(result);
    } catch (error) {
      return finish(this.#failed(service, error));
    }
  }

  /** Turns an exception of a service, which is a bug, into a 500. */
  #failed({ name = "" }: RequestHandler, error: unknown): Outgoing {
    this.#log?.({ service: name, event: "bug", error: describeError(error) });
    return errorResponse(500, "Internal error.");
  }

  #logRequest(
    request: Incoming,
    service: RequestHandler | undefined,
    { status, headers }: Outgoing,
    started: number,
  ): void {
    if (this.#log === undefined) return;
    const ms = Math.round((performance.now() - started) * 100) / 100;
    this.#log({
      ...logFieldsOf(request),
      service: service?.name ?? "host",
      event: "request",
      verb: request.method,
      status,
      ms,
      requestId: headers["x-request-id"],
    });
  }
}

/** Returns the caller's `X-Request-Id` if it is short and has only safe characters, else a new id. */
function requestId(request: Incoming): string {
  const callerId = request.header("x-request-id");
  return callerId !== undefined && /^[\w.:-]{1,100}$/.test(callerId)
    ? callerId
    : randomUUID();
}

function serviceFor<T extends Service>(
  services: readonly T[],
  target: string,
): T | undefined {
  const path = pathOf(target);
  return (
    services.find(({ paths }) =>
      paths.some((start) => matchesPath(path, start)),
    ) ?? services.find(({ paths }) => paths.includes("*"))
  );
}

function matchesPath(path: string, start: string): boolean {
  return start.endsWith("/") && start !== "/"
    ? path.startsWith(start)
    : path === start;
}

function pathOf(target: string): string {
  const [path = "/"] = target.split("?", 1);
  return path;
}

function notFound(): Outgoing {
  const message = "No service has this path.";
  // Clients of some APIs expect `message` at the top level.
  const body = `${JSON.stringify({ error: { code: 404, message }, message })}\n`;
  return { ...errorResponse(404, message), body };
}

/** Builds a 421 response. It does not repeat the host, which is untrusted input. */
function misdirected(): Outgoing {
  return errorResponse(
    421,
    "The host of the request is not allowed. Add it to host.names in the config.",
  );
}

function closing(): Outgoing {
  return errorResponse(503, "The server is shutting down.", {
    connection: "close",
    "retry-after": "5",
  });
}

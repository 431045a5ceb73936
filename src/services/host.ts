import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import {
  nodeServerOptions,
  toNodeListener,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { answerBatch, BATCH_PATH } from "./batches.js";
import { HOST } from "./host-config.js";
import { HostNames } from "./host-names.js";
import { failure } from "./error-response.js";
import { describe, factsOf } from "./log.js";
import type { LogLine, Service } from "./service.js";

/** A server of HTTP with services on it. */
export interface Host {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  /** Stops listening, lets what is under way end, closes the services. */
  close(): Promise<void>;
}

/** A service, and its name in the log. */
export type Hosted = Service & { readonly name?: string };

/** What of a service answers. */
type Answering = Pick<Hosted, "name" | "handle">;

/** Where a host listens, and whom it tells. */
export interface HostOptions {
  /** 0 for a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Gets a line per request; no path, whose text may be a secret. */
  readonly log?: (line: LogLine) => void;
  /** Milliseconds that what is under way may take when the host closes. */
  readonly grace?: number;
  /** Milliseconds that a connection is kept between requests. */
  readonly keepAlive?: number;
  /** Milliseconds after which a connection without a byte is closed. */
  readonly silence?: number;
  /**
   * Hosts that callers may name, besides those of loopback. Default: any.
   */
  readonly names?: readonly string[] | undefined;
  /** Further hosts of that kind, where others are refused. */
  readonly origins?: readonly string[];
}

/** Milliseconds by which the host waits longer than its services. */
const MARGIN = 10_000;

/** Milliseconds beyond the grace in which what is aborted may end. */
const LAST = 1_500;

/** Listens, and gives each request to the service whose path it has. */
export async function listen(
  services: readonly Hosted[],
  options: HostOptions = {},
): Promise<Host> {
  const { port = 0, host = "127.0.0.1", log, grace = HOST.grace } = options;
  const reception = new Reception(services, log);
  const longest = Math.max(0, ...services.map((one) => one.longest ?? 0));
  const server = bounded((request) => reception.handle(request), {
    ...options,
    silence: Math.max(options.silence ?? HOST.silence, longest + MARGIN),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual, family, address } = server.address() as AddressInfo;
  const { names, origins = [] } = options;
  if (names !== undefined)
    reception.names = new HostNames([...names, ...origins, host]);
  return {
    origin: `http://${family === "IPv6" ? `[${address}]` : host}:${actual}`,
    async close() {
      reception.isClosing = true;
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      const ended = services.map((service) => service.close(grace));
      await letGo(server, Promise.all([closed, ...ended]), grace);
    },
  };
}

/**
 * A server whose every resource has a bound. The time for a body is the
 * service's business: an upload may take as long as it goes on.
 */
function bounded(
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
  { keepAlive = HOST.keepAlive, silence = HOST.silence }: HostOptions,
): http.Server {
  const server = http.createServer(
    { ...nodeServerOptions, keepAliveTimeout: keepAlive },
    toNodeListener({ handle }),
  );
  server.maxConnections = 2_000;
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 10_000;
  // For callers who stop reading. An answer that takes longer than this is lost.
  server.setTimeout(silence);
  return server;
}

/**
 * Ends idle connections as they become idle, and the others a second after the grace: an
 * aborted request gets its answer. What hangs then is not waited for.
 */
async function letGo(
  server: http.Server,
  ended: Promise<unknown>,
  grace: number,
): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), grace + 1_000);
  server.closeIdleConnections();
  await within(ended, grace + LAST);
  server.closeAllConnections();
  clearInterval(sweep);
  clearTimeout(end);
}

/** Waits for something, but only so many milliseconds; returns whether it ended. */
export function within(work: Promise<unknown>, time: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), time);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(end, end);
  });
}

/** Finds the service of each request, and tells of the answer. */
class Reception {
  isClosing = false;
  /** Hosts that callers may name; any where undefined. */
  names: HostNames | undefined;
  readonly #services: readonly Hosted[];
  readonly #log: ((line: LogLine) => void) | undefined;

  constructor(services: readonly Hosted[], log?: (line: LogLine) => void) {
    this.#services = services;
    this.#log = log;
  }

  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    const service = serviceFor(this.#services, request.target);
    if (service === undefined && pathOf(request.target) === BATCH_PATH)
      return this.#answer(request, this.#batches);
    return this.#answer(request, service);
  }

  /** Several services may be meant by one batch; none of its calls is a batch. */
  readonly #batches: Answering = {
    name: "host",
    handle: (request) =>
      answerBatch(request, (call) =>
        this.#answer(call, serviceFor(this.#services, call.target)),
      ),
  };

  #answer(
    request: Incoming,
    service: Answering | undefined,
  ): Outgoing | Promise<Outgoing> {
    const started = performance.now();
    const id = requestId(request);
    const finish = ({ headers, ...rest }: Outgoing): Outgoing => {
      // A copy: the service may give the same object again.
      const answer = { ...rest, headers: { "x-request-id": id, ...headers } };
      this.#tell(request, service, answer, started);
      return answer;
    };
    if (this.isClosing) return finish(closing());
    if (this.names?.allows(request.header("host")) === false)
      return finish(misdirected());
    if (service === undefined) return finish(nobody());
    try {
      const answer = service.handle(request);
      return answer instanceof Promise
        ? answer.then(finish, (error) => finish(this.#failed(service, error)))
        : finish(answer);
    } catch (error) {
      return finish(this.#failed(service, error));
    }
  }

  /** Services do not throw; one that does takes nobody else with it. */
  #failed({ name = "" }: Answering, error: unknown): Outgoing {
    this.#log?.({ service: name, event: "bug", error: describe(error) });
    return failure(500, "Internal error.");
  }

  #tell(
    request: Incoming,
    service: Answering | undefined,
    { status, headers }: Outgoing,
    started: number,
  ): void {
    if (this.#log === undefined) return;
    const ms = Math.round((performance.now() - started) * 100) / 100;
    this.#log({
      ...factsOf(request),
      service: service?.name ?? "host",
      event: "request",
      verb: request.method,
      status,
      ms,
      requestId: headers["x-request-id"],
    });
  }
}

/** The caller's own id where it is harmless, else a new one. */
function requestId(request: Incoming): string {
  const own = request.header("x-request-id");
  return own !== undefined && /^[\w.:-]{1,100}$/.test(own) ? own : randomUUID();
}

function serviceFor<T extends Service>(
  services: readonly T[],
  target: string,
): T | undefined {
  const path = pathOf(target);
  return (
    services.find(({ paths }) => paths.some((start) => isAt(path, start))) ??
    services.find(({ paths }) => paths.includes("*"))
  );
}

function isAt(path: string, start: string): boolean {
  return start.endsWith("/") && start !== "/"
    ? path.startsWith(start)
    : path === start;
}

function pathOf(target: string): string {
  const [path = "/"] = target.split("?", 1);
  return path;
}

function nobody(): Outgoing {
  const message = "No service has this path.";
  // Clients of some APIs look for the text at the top.
  const body = `${JSON.stringify({ error: { code: 404, message }, message })}\n`;
  return { ...failure(404, message), body };
}

/** Not repeated: the name is the caller's text. */
function misdirected(): Outgoing {
  return failure(
    421,
    "This server is not reached by the host that the request names. Add the host to host.names in the config.",
  );
}

function closing(): Outgoing {
  return failure(503, "The server is shutting down.", {
    connection: "close",
    "retry-after": "5",
  });
}

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
import { failure } from "./failure.js";
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
  readonly patience?: number;
}

/** Listens, and gives each request to the service whose path it has. */
export async function listen(
  services: readonly Hosted[],
  { port = 0, host = "127.0.0.1", log, patience = 10_000 }: HostOptions = {},
): Promise<Host> {
  const reception = new Reception(services, log);
  const server = bounded((request) => reception.handle(request));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual, family, address } = server.address() as AddressInfo;
  return {
    origin: `http://${family === "IPv6" ? `[${address}]` : host}:${actual}`,
    async close() {
      reception.isClosing = true;
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve()),
      );
      await Promise.all(services.map((service) => service.close()));
      await letGo(server, closed, patience);
    },
  };
}

/**
 * A server whose every resource has a bound. The time for a body is the
 * service's business: an upload may take as long as it goes on.
 */
function bounded(
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
): http.Server {
  const server = http.createServer(
    nodeServerOptions,
    toNodeListener({ handle }),
  );
  server.maxConnections = 2_000;
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 10_000;
  // For callers who stop reading; a stream of events that says nothing for so long is cut too.
  server.setTimeout(300_000);
  return server;
}

/** Ends idle connections as they become idle, and the others when patience ends. */
async function letGo(
  server: http.Server,
  closed: Promise<void>,
  patience: number,
): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const end = setTimeout(() => server.closeAllConnections(), patience);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}

/** Finds the service of each request, and tells of the answer. */
class Reception {
  isClosing = false;
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
  return failure(404, "No service has this path.");
}

function closing(): Outgoing {
  return failure(503, "The server is shutting down.", {
    connection: "close",
    "retry-after": "5",
  });
}

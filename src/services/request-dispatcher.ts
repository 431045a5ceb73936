import { randomUUID } from "node:crypto";
import { batch } from "../../generated/runtime/server/batch.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import type { HostNames } from "../platform/host-names.js";
import { describeError, logFieldsOf } from "./log.js";
import type { LogLine, Service } from "./service.js";
import type { Tracing } from "./tracing.js";

/** Service and its name in log lines. */
export type HostedService = Service & { readonly name?: string };

/** Members of a service that are needed to handle requests. */
type RequestHandler = Pick<HostedService, "name" | "handle">;

/** Dispatcher that passes each request to its service and logs the response. */
export class RequestDispatcher {
  /**
   * In state `draining`, requests are served with `connection: close`; in state
   * `closing`, they get 503.
   */
  state: "serving" | "draining" | "closing" = "serving";
  /**
   * Host names that are accepted in the `Host` header; undefined if any name is
   * accepted.
   */
  names: HostNames | undefined;
  readonly #services: readonly HostedService[];
  readonly #log: ((line: LogLine) => void) | undefined;
  readonly #tracing: Tracing | undefined;

  constructor(
    services: readonly HostedService[],
    log?: (line: LogLine) => void,
    tracing?: Tracing,
  ) {
    this.#services = services;
    this.#log = log;
    this.#tracing = tracing;
  }

  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    const service = serviceFor(this.#services, request.target);
    if (service === undefined && pathOf(request.target) === BATCH_PATH)
      return this.#dispatch(request, this.#batches);
    return this.#dispatch(request, service);
  }

  /**
   * Handler of batch requests. The calls of a batch can belong to several
   * services, but a batch can't contain another batch.
   */
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
    if (this.#tracing === undefined) return this.#respond(request, service);
    return this.#tracing.trace(request, () => this.#respond(request, service));
  }

  #respond(
    request: Incoming,
    service: RequestHandler | undefined,
  ): Outgoing | Promise<Outgoing> {
    const started = performance.now();
    const id = requestId(request);
    const finish = ({ headers, ...rest }: Outgoing): Outgoing => {
      // The response is copied, because a service can return the same object
      // for several requests.
      const response = {
        ...rest,
        headers: {
          "x-request-id": id,
          ...headers,
          ...(this.state === "draining" ? { connection: "close" } : {}),
        },
      };
      this.#logRequest(request, service, response, started);
      return response;
    };
    if (this.state === "closing") return finish(closing());
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

  /**
   * Converts an exception of a service to a 500 response. Such an exception is
   * always a bug.
   */
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
    const fields = logFieldsOf(request);
    // A path contains only names of existing resources if a method was called
    // successfully. The path of a failed request can contain anything, such as
    // a key. The query is never logged.
    const traceId = this.#tracing?.traceId();
    const isKnownPath = fields.method !== undefined && status < 400;
    this.#log({
      ...(isKnownPath ? { path: pathOf(request.target) } : {}),
      ...fields,
      service: service?.name ?? "host",
      event: "request",
      httpMethod: request.method,
      status,
      ms,
      requestId: headers["x-request-id"],
      ...(traceId === undefined ? {} : { traceId }),
    });
  }
}

/**
 * Returns the caller's `X-Request-Id` if it is short and contains only safe
 * characters, otherwise a new id.
 */
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
  // The message is repeated at the top level, because clients of some APIs
  // expect it there.
  const body = `${JSON.stringify({ error: { code: 404, message }, message })}\n`;
  return { ...errorResponse(404, message), body };
}

/**
 * Returns a 421 response. The response does not contain the host, because the
 * host is untrusted input.
 */
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

/** Returns an error response that the host creates instead of a service. */
function errorResponse(
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return {
    status: code,
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message } })}\n`,
  };
}

/**
 * Path of batch requests. It is equal to `batchPath` in the API descriptions of
 * all services.
 */
const BATCH_PATH = "/batch";

const MB = 1024 * 1024;

/**
 * Limits of batches. They are the same for all callers, because only the calls
 * in a batch are authenticated, not the batch itself. All batches must use this
 * object: the runtime adds up the bytes of all batches with the same object,
 * and limits the sum to `limits.batches`.
 */
const BATCH_OPTIONS = {
  limits: {
    batch: 100,
    batchBody: 4 * MB,
    batchResponses: 16 * MB,
    batches: 64 * MB,
    bodyTime: 60_000,
  },
};

/**
 * Handles a batch request whose calls can belong to different services. A
 * rejected promise indicates a bug.
 */
async function handleBatch(
  request: Incoming,
  handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Outgoing> {
  if (request.method !== "POST")
    return errorResponse(405, "A batch request must use POST.", {
      allow: "POST",
    });
  try {
    const call = (part: Incoming) => handle(new BatchedCall(part));
    return await batch(request, BATCH_OPTIONS, call, batchError);
  } catch (error) {
    if (error instanceof ApiError) return batchError(error);
    throw error;
  }
}

function batchError({ status, message, extras }: ApiError): Outgoing {
  return errorResponse(status, message, extras.headers);
}

/**
 * Single call in a batch. Each call has a different `raw` object (the request
 * object of the platform), because log fields are keyed by this object and each
 * call has its own log line.
 */
class BatchedCall implements Incoming {
  readonly raw: unknown;
  readonly #part: Incoming;

  constructor(part: Incoming) {
    this.#part = part;
    this.raw = Object.create(Object(part.raw) as object);
  }

  get isPart(): boolean {
    return this.#part.isPart === true;
  }

  get isDecoded(): boolean {
    return this.#part.isDecoded === true;
  }

  get mount(): string | undefined {
    return this.#part.mount;
  }

  get method(): string {
    return this.#part.method;
  }

  get target(): string {
    return this.#part.target;
  }

  get origin(): string {
    return this.#part.origin;
  }

  get remoteAddress(): string | undefined {
    return this.#part.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#part.signal;
  }

  header(name: string): string | undefined {
    return this.#part.header(name);
  }

  text(limit: number, time: number): Promise<string> {
    return this.#part.text(limit, time);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#part.chunks();
  }
}

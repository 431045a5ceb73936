import type { Context, Span, Tracer } from "@opentelemetry/api";
import type { ApiDefinition } from "../../generated/runtime/server/core.js";
import type {
  Incoming,
  Outgoing,
} from "../../generated/runtime/server/index.js";
import { isStream } from "../../generated/runtime/server/request.js";
import {
  loadWithPackage,
  MissingPackageError,
} from "../platform/optional-package.js";
import { logFieldsOf } from "./log.js";
import type { LogLine } from "./service.js";
import {
  setTracer,
  type ClientSpan,
  type SpanAttributes,
  type TraceHeaders,
  type Tracer as SpanTracer,
} from "./spans.js";

/** Traces of requests, as OpenTelemetry exports them. */
export interface Tracing {
  /**
   * Runs a request in a span for servers. The parent is the span of the
   * client, from the header `traceparent`, or the batch of the request.
   */
  trace(request: Incoming, run: HandleRequest): Outgoing | Promise<Outgoing>;
  /** Returns the id of the current trace; undefined outside of a request. */
  traceId(): string | undefined;
  /** Exports the pending spans. */
  close(): Promise<void>;
}

type HandleRequest = () => Outgoing | Promise<Outgoing>;

/** Environment variables of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tests whether the standard variables of OpenTelemetry request traces: an
 * endpoint or an exporter is set, and the SDK is not disabled.
 */
export function isTracingRequested(environment: Environment): boolean {
  const valueOf = (name: string): string => (environment[name] ?? "").trim();
  const exporter = valueOf("OTEL_TRACES_EXPORTER").toLowerCase();
  if (valueOf("OTEL_SDK_DISABLED").toLowerCase() === "true") return false;
  if (exporter === "none") return false;
  return (
    exporter !== "" ||
    valueOf("OTEL_EXPORTER_OTLP_ENDPOINT") !== "" ||
    valueOf("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== ""
  );
}

/**
 * Starts the SDK of OpenTelemetry, which reads its settings from the standard
 * variables. If its package is not installed, the server runs without traces
 * and the log has a line with the reason.
 *
 * @param loadApis functions that load the definitions of the APIs, whose routes
 *   are the names of spans
 */
export async function openTracing(
  loadApis: readonly (() => Promise<ApiDefinition>)[],
  log: (line: LogLine) => void,
  environment: Environment = process.env,
): Promise<Tracing | undefined> {
  if (!isTracingRequested(environment)) return undefined;
  const load = <T>(name: string, run: () => Promise<T>): Promise<T> =>
    loadWithPackage(
      name,
      "Tracing by variables such as OTEL_TRACES_EXPORTER",
      run,
    );
  try {
    const api = await load(
      "@opentelemetry/api",
      () => import("@opentelemetry/api"),
    );
    const sdk = await load(
      "@opentelemetry/sdk-node",
      () => import("@opentelemetry/sdk-node"),
    );
    const stop = startSdk(sdk, environment);
    const definitions = await Promise.all(loadApis.map((run) => run()));
    setTracer(new OpenTelemetryTracer(api));
    return new OpenTelemetryTracing(api, routesOf(definitions), stop);
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    const event = "tracing-unavailable";
    log({ service: "host", event, reason: error.message });
    return undefined;
  }
}

function startSdk(
  { NodeSDK, resources }: typeof import("@opentelemetry/sdk-node"),
  environment: Environment,
): () => Promise<void> {
  const isNamed =
    (environment["OTEL_SERVICE_NAME"] ?? "") !== "" ||
    (environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "").includes("service.name=");
  const sdk = new NodeSDK({
    // The detector of the process is omitted: it reports the arguments of the
    // command, which can contain the password of a database.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
    ...(isNamed ? {} : { serviceName: "gen" }),
    // Metrics have their own endpoint, and the log is a stream of lines.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

/** Returns the routes of methods, keyed by the id of the method. */
function routesOf(apis: readonly ApiDefinition[]): ReadonlyMap<string, string> {
  return new Map(
    apis.flatMap(({ servicePath, methods }) =>
      methods.map(({ id, route }): [string, string] => {
        const [first = ""] = [route].flat();
        return [id, `/${servicePath}${first}`];
      }),
    ),
  );
}

/** Methods of HTTP that are values of the attribute `http.request.method`. */
const METHODS = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
]);

/** Name of the instrumentation scope of all spans. */
const TRACER = "discovery-codegen";

class OpenTelemetryTracing implements Tracing {
  readonly #api: typeof import("@opentelemetry/api");
  readonly #tracer: Tracer;
  readonly #routes: ReadonlyMap<string, string>;
  readonly #stop: () => Promise<void>;

  constructor(
    api: typeof import("@opentelemetry/api"),
    routes: ReadonlyMap<string, string>,
    stop: () => Promise<void>,
  ) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(TRACER);
    this.#routes = routes;
    this.#stop = stop;
  }

  trace(request: Incoming, run: HandleRequest): Outgoing | Promise<Outgoing> {
    const { context, trace, SpanKind } = this.#api;
    const parent = this.#parentOf(request);
    const kind = request.isPart === true ? SpanKind.INTERNAL : SpanKind.SERVER;
    const attributes = attributesOf(request);
    const name = methodOf(request);
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    const active = trace.setSpan(parent, span);
    const end = (response: Outgoing): Outgoing =>
      this.#end(span, request, response);
    return context.with(active, () => {
      const response = run();
      return response instanceof Promise ? response.then(end) : end(response);
    });
  }

  traceId(): string | undefined {
    return this.#api.trace.getActiveSpan()?.spanContext().traceId;
  }

  async close(): Promise<void> {
    setTracer(undefined);
    // An exporter whose endpoint can't be reached must not prevent the end.
    await this.#stop().catch(() => {});
  }

  /** Returns the context of the caller; for a call in a batch, of the batch. */
  #parentOf(request: Incoming): Context {
    const { context, propagation } = this.#api;
    const active = context.active();
    if (request.isPart === true) return active;
    return propagation.extract(active, request, {
      get: (carrier, key) => carrier.header(key),
      keys: () => [],
    });
  }

  /** Ends the span when the response has been sent. */
  #end(span: Span, request: Incoming, response: Outgoing): Outgoing {
    const { status, body } = response;
    const { method } = logFieldsOf(request);
    const route = method === undefined ? undefined : this.#routes.get(method);
    span.setAttribute("http.response.status_code", status);
    if (route !== undefined) {
      span.updateName(`${methodOf(request)} ${route}`);
      span.setAttribute("http.route", route);
      // Paths of requests that failed can contain anything, such as a key.
      const [path = "/"] = request.target.split("?", 1);
      if (status < 400) span.setAttribute("url.path", path);
    }
    if (status >= 500) {
      span.setAttribute("error.type", String(status));
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    if (!isStream(body) || request.method === "HEAD") {
      span.end();
      return response;
    }
    // A body is not read if the client has left before.
    request.signal.addEventListener("abort", () => endOnce(span));
    return { ...response, body: endAfter(body, span) };
  }
}

/** Spans of calls to other systems, and of jobs. */
class OpenTelemetryTracer implements SpanTracer {
  readonly #api: typeof import("@opentelemetry/api");
  readonly #tracer: Tracer;

  constructor(api: typeof import("@opentelemetry/api")) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(TRACER);
  }

  startClient(
    name: string,
    attributes: SpanAttributes,
  ): ClientSpan | undefined {
    const { context, trace, SpanKind } = this.#api;
    const parent = context.active();
    if (trace.getSpan(parent) === undefined) return undefined;
    const kind = SpanKind.CLIENT;
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    return {
      headers: () => this.#headers(trace.setSpan(parent, span)),
      set: (more) => void span.setAttributes(more),
      end: (errorType) => {
        if (errorType !== undefined) this.#fail(span, errorType);
        endOnce(span);
      },
    };
  }

  current(): TraceHeaders | undefined {
    const { context, trace } = this.#api;
    const active = context.active();
    return trace.getSpan(active) === undefined
      ? undefined
      : this.#headers(active);
  }

  async runJob<T>(
    name: string,
    attributes: SpanAttributes,
    creator: TraceHeaders | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    const { context, propagation, trace, ROOT_CONTEXT, SpanKind } = this.#api;
    const link = trace.getSpanContext(
      propagation.extract(ROOT_CONTEXT, creator ?? {}),
    );
    const span = this.#tracer.startSpan(
      name,
      {
        kind: SpanKind.CONSUMER,
        attributes,
        links: link === undefined ? [] : [{ context: link }],
      },
      ROOT_CONTEXT,
    );
    try {
      return await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
    } catch (error) {
      this.#fail(span, error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      endOnce(span);
    }
  }

  fail(errorType: string): void {
    const span = this.#api.trace.getActiveSpan();
    if (span !== undefined) this.#fail(span, errorType);
  }

  /**
   * Returns the headers of a context without its baggage, because the baggage of
   * a caller is not meant for other systems.
   */
  #headers(active: Context): TraceHeaders {
    const headers: Record<string, string> = {};
    const { propagation } = this.#api;
    propagation.inject(propagation.deleteBaggage(active), headers);
    return headers;
  }

  #fail(span: Span, errorType: string): void {
    span.setAttribute("error.type", errorType);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }
}

/** Yields a body, and then ends the span, also if the caller leaves early. */
async function* endAfter(
  body: AsyncIterable<Uint8Array | string>,
  span: Span,
): AsyncGenerator<Uint8Array | string> {
  try {
    yield* body;
  } finally {
    endOnce(span);
  }
}

function endOnce(span: Span): void {
  if (span.isRecording()) span.end();
}

function methodOf({ method }: Incoming): string {
  return METHODS.has(method) ? method : "HTTP";
}

/** Returns the attributes that are known before the request is handled. */
function attributesOf(request: Incoming): Record<string, string | number> {
  const { method, origin } = request;
  const isKnown = METHODS.has(method);
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return {
    "http.request.method": isKnown ? method : "_OTHER",
    ...(url === undefined
      ? {}
      : {
          "url.scheme": url.protocol.slice(0, -1),
          "server.address": url.hostname,
          ...(url.port === "" ? {} : { "server.port": Number(url.port) }),
        }),
  };
}

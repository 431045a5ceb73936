import type { ErrorContext } from "./error.js";
import type { CallObserver, ClientOptions, Interceptor } from "./options.js";
import type { Derivable } from "./with-options.js";

/*
 * Members of the types of @opentelemetry/api that are used here. The caller
 * passes a tracer, so the runtime does not import the package.
 */

/** Value of an attribute. */
type Attribute = string | number;

/** Part of OpenTelemetry's `Span`. */
export interface OtelSpan {
  setAttribute(name: string, value: Attribute): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
  spanContext(): {
    readonly traceId: string;
    readonly spanId: string;
    readonly traceFlags: number;
    readonly traceState?: { serialize(): string } | undefined;
  };
}

/** Part of OpenTelemetry's `Tracer`. */
export interface OtelTracer {
  startActiveSpan<R>(
    name: string,
    options: {
      readonly kind: number;
      readonly attributes: Record<string, Attribute>;
    },
    work: (span: never) => R,
  ): R;
}

/** Settings of the instrumentation. */
export interface OtelOptions {
  /** Tracer of the program: `trace.getTracer("name")` of `@opentelemetry/api`. */
  readonly tracer: OtelTracer;
  /**
   * True to send the trace to the server in the headers `traceparent` and
   * `tracestate` (W3C Trace Context). Default: false, because browsers then send
   * a preflight request that many APIs reject.
   */
  readonly propagate?: boolean | undefined;
}

/** `SpanKind.CLIENT` of OpenTelemetry. */
const CLIENT = 2;

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const ERROR = 2;

/**
 * Returns a client whose calls create spans: one for each call, with the
 * attributes of RPC clients (`rpc.service`, `rpc.method`), and one for each
 * attempt, with the attributes of HTTP clients (`http.request.method`,
 * `url.full` without query, `http.response.status_code`,
 * `http.request.resend_count`). Spans contain no headers, bodies or credentials.
 *
 *     const drive = instrument(createDrive({ auth }), {
 *       tracer: trace.getTracer("drive"),
 *     });
 */
export function instrument<C extends Derivable<ClientOptions>>(
  client: C,
  options: OtelOptions,
): C {
  return client.with(instrumentation(options));
}

/**
 * Returns the options of a client whose calls create spans; see
 * {@link instrument}. For clients of the flat functions.
 */
export function instrumentation({ tracer, propagate }: OtelOptions): {
  readonly observeCall: CallObserver;
  readonly interceptors: readonly Interceptor[];
} {
  return {
    observeCall: ({ methodId }, run) => {
      const at = methodId.lastIndexOf(".");
      const attributes = {
        "rpc.system": "discovery",
        "rpc.service": methodId.slice(0, Math.max(at, 0)),
        "rpc.method": methodId.slice(at + 1),
      };
      return trace(tracer, methodId, attributes, run);
    },
    interceptors: [
      (request, next) => {
        const { context, init } = request;
        const { method } = init;
        const attempt = context.attempts ?? 1;
        const attributes = {
          "http.request.method": method,
          ...urlAttributes(context.url!),
          ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
        };
        return trace(tracer, method, attributes, async (span) => {
          const headers = { ...init.headers, ...(propagate && trailOf(span)) };
          const response = await next({
            ...request,
            init: { ...init, headers },
          });
          const { status } = response;
          span.setAttribute("http.response.status_code", status);
          if (status >= 400) fail(span, `${status}`);
          return response;
        });
      },
    ],
  };
}

/** Runs an asynchronous function in a span. */
function trace<T>(
  tracer: OtelTracer,
  name: string,
  attributes: Record<string, Attribute>,
  run: (span: OtelSpan) => Promise<T>,
): Promise<T> {
  const options = { kind: CLIENT, attributes };
  return tracer.startActiveSpan(name, options, async (span: OtelSpan) => {
    try {
      return await run(span);
    } catch (thrown) {
      const {
        status,
        kind,
        name: type,
      } = Object(thrown) as Partial<ErrorContext & Error>;
      fail(span, `${status ?? kind ?? type}`);
      throw thrown;
    } finally {
      span.end();
    }
  });
}

function fail(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: ERROR });
}

function urlAttributes(url: string): Record<string, Attribute> {
  const { hostname, port, protocol } = new URL(url);
  return {
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "http:" ? 80 : 443),
  };
}

/** Returns the headers of W3C Trace Context for a span. */
function trailOf(span: OtelSpan): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, "0");
  const state = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(state ? { tracestate: state } : {}),
  };
}

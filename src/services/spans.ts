/** Attributes of a span, by the names of the semantic conventions. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Headers that continue a trace in another process. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Span of a call to another system. */
export interface ClientSpan {
  /** Returns headers that continue the trace in the other system. */
  headers(): TraceHeaders;
  set(attributes: SpanAttributes): void;
  /**
   * Ends the span. Further calls have no effect.
   *
   * @param errorType class of the failure; undefined after success
   */
  end(errorType?: string): void;
}

/** Source of spans for calls to other systems and for jobs. */
export interface Tracer {
  /**
   * Starts a span for a call to another system, as a child of the current
   * request or job. Returns undefined outside of both, so that work in the
   * background creates no traces.
   */
  startClient(name: string, attributes: SpanAttributes): ClientSpan | undefined;
  /** Returns headers that identify the current span; undefined without one. */
  current(): TraceHeaders | undefined;
  /**
   * Runs a job in a span of its own.
   *
   * @param creator headers of the span that added the job, which the span of
   *   the job links to
   */
  runJob<T>(
    name: string,
    attributes: SpanAttributes,
    creator: TraceHeaders | undefined,
    run: () => Promise<T>,
  ): Promise<T>;
  /** Marks the span of the current job as failed. */
  fail(errorType: string): void;
}

/**
 * Tracer of this process; undefined without tracing. As the SDK of
 * OpenTelemetry, which applies to the process, it is not a parameter.
 */
export let tracer: Tracer | undefined;

/** Replaces the tracer of this process. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

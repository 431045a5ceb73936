// Spans of instrumented clients, as the SDK of OpenTelemetry exports them.
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createMarketplace } from "../../generated/marketplace/v1/index.js";
import { instrument } from "../../generated/runtime/client/otel.js";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
const tracer = provider.getTracer("test");

beforeAll(() => {
  context.setGlobalContextManager(
    new AsyncLocalStorageContextManager().enable(),
  );
});
afterEach(() => exporter.reset());
afterAll(async () => {
  context.disable();
  await provider.shutdown();
});

const rootUrl = "https://user.example.com:8443/";

/** Client that receives responses in order, and the headers of its requests. */
function shop(responses: (Response | Error)[], propagate?: boolean) {
  const sent: Headers[] = [];
  const client = createMarketplace({
    rootUrl,
    auth: "secret-token",
    retry: { delay: 1 },
    fetch: async (_, init) => {
      sent.push(new Headers(init.headers));
      const next = responses.shift()!;
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return { sent, client: instrument(client, { tracer, propagate }) };
}

const facts = ({ name, kind, attributes, status }: ReadableSpan) => ({
  name,
  kind,
  attributes,
  status: status.code,
});

const http = {
  "http.request.method": "GET",
  "url.full": `${rootUrl}items`,
  "server.address": "user.example.com",
  "server.port": 8443,
};

it("has a span for each call and a child for each attempt", async () => {
  const { client } = shop([
    new Response("", { status: 503 }),
    Response.json({ items: [] }),
  ]);
  await tracer.startActiveSpan("program", async (span) => {
    await client.items.all();
    span.end();
  });
  const spans = exporter.getFinishedSpans();
  const [first, second, call, program] = spans;
  const path = String(first!.attributes["url.full"]);
  expect(spans.map(facts)).toEqual([
    {
      name: "GET",
      kind: 2,
      status: 2,
      attributes: {
        ...http,
        "url.full": path,
        "http.response.status_code": 503,
        "error.type": "503",
      },
    },
    {
      name: "GET",
      kind: 2,
      status: 0,
      attributes: {
        ...http,
        "url.full": path,
        "http.request.resend_count": 1,
        "http.response.status_code": 200,
      },
    },
    {
      name: "marketplace.items.all",
      kind: 2,
      status: 0,
      attributes: {
        "rpc.system": "discovery",
        "rpc.service": "marketplace.items",
        "rpc.method": "all",
      },
    },
    { name: "program", kind: 0, status: 0, attributes: {} },
  ]);
  const parent = (span: ReadableSpan | undefined) =>
    span?.parentSpanContext?.spanId;
  expect([parent(first), parent(second)]).toEqual([
    call!.spanContext().spanId,
    call!.spanContext().spanId,
  ]);
  expect(parent(call)).toBe(program!.spanContext().spanId);
  expect(path).not.toContain("?");
  expect(JSON.stringify(spans.map(facts))).not.toContain("secret");
});

it("records failures by status or kind", async () => {
  const { client } = shop([
    new Response("", { status: 404 }),
    new TypeError("fetch failed"),
  ]);
  await client.items.all({}, { retry: false }).catch(() => {});
  await client.items.all({}, { retry: false }).catch(() => {});
  const types = exporter
    .getFinishedSpans()
    .map(({ attributes, status }) => [attributes["error.type"], status.code]);
  expect(types).toEqual([
    ["404", 2],
    ["404", 2],
    ["Error", 2],
    ["network", 2],
  ]);
});

it("sends the trace only on request", async () => {
  const quiet = shop([Response.json({})]);
  await quiet.client.items.all({});
  expect(quiet.sent[0]!.has("traceparent")).toBe(false);
  const { client, sent } = shop([Response.json({})], true);
  await client.items.all({});
  const { traceId, spanId } = exporter.getFinishedSpans().at(-2)!.spanContext();
  expect(sent[0]!.get("traceparent")).toBe(`00-${traceId}-${spanId}-01`);
  expect(sent[0]!.get("authorization")).toBeNull();
  expect(trace.getActiveSpan()).toBeUndefined();
});

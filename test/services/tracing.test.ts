// Traces of requests, received by a collector of OTLP over HTTP.
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, trace } from "@opentelemetry/api";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  ATTR_URL_FULL,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from "@opentelemetry/semantic-conventions";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { ConfigFile } from "../../src/services/config-file.js";
import type { ServiceRow } from "../../src/services/service.js";
import { runServices, type RunningServices } from "../../src/services/run.js";
import type { LogLine } from "../../src/services/service.js";
import { services } from "../../src/services/table.js";
import { tracer } from "../../src/services/spans.js";
import { isTracingRequested } from "../../src/services/tracing.js";

import { temporaryFolder } from "../support/paths.js";
import { startPostgres } from "../support/postgres.js";
import { backEnd, KEYS } from "./chat-support.js";

interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
  readonly links?: readonly { readonly spanId: string }[];
}

/** Kinds of spans, as OTLP numbers them. */
const CLIENT = 3;
const CONSUMER = 5;

/** Attribute as OTLP has it in JSON. */
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Collector that keeps spans. */
class Collector {
  readonly spans: SpanData[] = [];
  resource: Readonly<Record<string, unknown>> = {};
  text = "";
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        if (request.url === "/v1/traces") this.#receive(body);
        response.writeHead(200, { "content-type": "application/json" });
        response.end("{}");
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) =>
      this.#server.listen(0, "127.0.0.1", resolve),
    );
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  #receive(body: string): void {
    this.text += body;
    // oxlint-disable-next-line typescript/no-explicit-any -- the JSON of OTLP
    const { resourceSpans } = JSON.parse(body) as any;
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        for (const { attributes, ...span } of spans)
          this.spans.push({ ...span, attributes: valuesOf(attributes) });
    }
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function valuesOf(
  attributes: readonly Attribute[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );
}

const collectors: Collector[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of collectors.splice(0)) one.close();
  for (const api of [trace, context, propagation]) api.disable();
});

/** Runs services with the variables of OpenTelemetry. */
async function run(
  variables: Readonly<Record<string, string>> = {},
  rows: readonly ServiceRow[] = services.filter(
    ({ name }) => name !== "migration",
  ),
  {
    config,
    ...location
  }: {
    readonly config?: object;
    readonly store?: string;
    readonly data?: string;
  } = {},
): Promise<{
  readonly running: RunningServices;
  readonly collector: Collector;
  readonly lines: LogLine[];
}> {
  const collector = new Collector();
  collectors.push(collector);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", await collector.listen());
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  for (const [name, value] of Object.entries(variables))
    vi.stubEnv(name, value);
  const lines: LogLine[] = [];
  const running = await runServices({
    rows,
    isDemo: config === undefined,
    ...(config === undefined
      ? {}
      : {
          config: new ConfigFile(
            "gen.json",
            JSON.stringify(config),
            services.map(({ name }) => name),
          ),
        }),
    ...location,
    log: (line) => lines.push(line),
  });
  return { running, collector, lines };
}

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("traces", () => {
  test("have a span for each request, with the semantic conventions", async () => {
    const { running, collector, lines } = await run({
      OTEL_SERVICE_NAME: "shop",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    });
    const { origin } = running;
    const target =
      "/api/purchases/validation?api_key=test-key&purchase_code=code-1";
    await fetch(origin + target, {
      method: "POST",
      headers: { traceparent: PARENT, tracestate: "vendor=1" },
    });
    await fetch(`${origin}/api/secret-path?api_key=secret-key`);
    await running.close();
    const [found, missing] = collector.spans;
    const { port } = new URL(origin);
    const common = {
      [ATTR_URL_SCHEME]: "http",
      [ATTR_SERVER_ADDRESS]: "127.0.0.1",
      [ATTR_SERVER_PORT]: Number(port),
    };
    expect(found).toMatchObject({
      name: "POST /api/purchases/validation",
      kind: 2,
      traceId: "0af7651916cd43dd8448eb211c80319c",
      parentSpanId: "b7ad6b7169203331",
    });
    expect(found!.attributes).toEqual({
      ...common,
      [ATTR_HTTP_REQUEST_METHOD]: "POST",
      [ATTR_HTTP_ROUTE]: "/api/purchases/validation",
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: 200,
      [ATTR_URL_PATH]: "/api/purchases/validation",
    });
    expect(missing).toMatchObject({ name: "GET", status: {} });
    expect(missing!.parentSpanId ?? "").toBe("");
    expect(missing!.attributes).toEqual({
      ...common,
      [ATTR_HTTP_REQUEST_METHOD]: "GET",
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: 404,
    });
    expect(collector.resource).toMatchObject({
      [ATTR_SERVICE_NAME]: "shop",
      "deployment.environment.name": "test",
    });
    expect(collector.text).not.toMatch(/test-key|secret|code-1|command_args/);
    // The log line of a request has the id of its trace.
    const ids = lines
      .filter(({ event }) => event === "request")
      .map(({ traceId }) => traceId);
    expect(ids).toEqual([found!.traceId, missing!.traceId]);
  });

  test("mark errors of the server, not those of the caller", async () => {
    const row: ServiceRow = {
      name: "broken",
      summary: "",
      load: async () => ({
        start: async () => ({
          paths: ["*"],
          handle: () => {
            throw new Error("bug");
          },
          close: async () => {},
        }),
        demo: async () => ({ config: undefined, help: () => [] }),
      }),
    };
    const { running, collector } = await run({}, [row]);
    await fetch(running.origin);
    await running.close();
    expect(collector.spans).toMatchObject([
      {
        name: "GET",
        status: { code: 2 },
        attributes: {
          [ATTR_ERROR_TYPE]: "500",
          [ATTR_HTTP_RESPONSE_STATUS_CODE]: 500,
        },
      },
    ]);
    expect(collector.resource).toMatchObject({ [ATTR_SERVICE_NAME]: "gen" });
  });

  test("of streams end with the stream", async () => {
    const { running, collector } = await run();
    const response = await fetch(`${running.origin}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: "Bearer test-key",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        model: "test-model",
        stream: true,
        messages: [{ role: "user", content: "Hello" }],
      }),
    });
    expect(await response.text()).toContain("[DONE]");
    await running.close();
    expect(collector.spans).toMatchObject([
      {
        name: "POST /v1/chat/completions",
        attributes: { [ATTR_HTTP_RESPONSE_STATUS_CODE]: 200 },
      },
    ]);
  });

  test("of calls in a batch are children of the batch", async () => {
    const { running, collector } = await run();
    const call = "GET /discovery/v1/apis HTTP/1.1\r\n\r\n";
    const part = `--b\r\nContent-Type: application/http\r\n\r\n${call}\r\n`;
    const response = await fetch(`${running.origin}/batch`, {
      method: "POST",
      headers: {
        "content-type": "multipart/mixed; boundary=b",
        traceparent: PARENT,
      },
      body: `${part}${part}--b--`,
    });
    await response.text();
    await running.close();
    const batch = collector.spans.find(({ kind }) => kind === 2)!;
    expect(batch).toMatchObject({
      name: "POST",
      parentSpanId: "b7ad6b7169203331",
    });
    const calls = collector.spans.filter(({ kind }) => kind === 1);
    expect(calls.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
      [
        ["GET /discovery/v1/apis", batch.spanId],
        ["GET /discovery/v1/apis", batch.spanId],
      ],
    );
  });

  test("are sampled as the variables say", async () => {
    const { running, collector } = await run({
      OTEL_TRACES_SAMPLER: "parentbased_always_off",
    });
    const url = `${running.origin}/discovery/v1/apis`;
    await fetch(url);
    await fetch(url, { headers: { traceparent: PARENT } });
    await running.close();
    expect(collector.spans.length).toBe(1);
  });

  test("do not delay the end if the collector can't be reached", async () => {
    const { running, collector } = await run();
    collector.close();
    await fetch(`${running.origin}/discovery/v1/apis`);
    const begun = performance.now();
    await running.close();
    expect(performance.now() - begun).toBeLessThan(4_000);
  });
});

const chatRow = services.filter(({ name }) => name === "chat");

/** Runs a chat service with upstreams, of which the first is used first. */
async function runChat(...upstreams: RequestListener[]) {
  const heads: IncomingHttpHeaders[] = [];
  const origins = await Promise.all(
    upstreams.map((respond) =>
      backEnd((request, response) => {
        heads.push(request.headers);
        respond(request, response);
      }),
    ),
  );
  const { running, collector } = await run({}, chatRow, {
    config: {
      chat: {
        keys: KEYS,
        models: {
          "test-model": {
            upstreams: origins.map((origin, at) => ({
              baseUrl: `${origin}/v1`,
              query: { "api-version": "secret-query" },
              headers: { "api-key": "secret-header" },
              model: "vendor-model",
              weight: at === 0 ? 1000 : 0,
            })),
          },
        },
      },
    },
  });
  const send = (stream: boolean) =>
    fetch(`${running.origin}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: "Bearer test-key",
        "content-type": "application/json",
        traceparent: PARENT,
        baggage: "user=secret-user",
      },
      body: JSON.stringify({
        model: "test-model",
        stream,
        messages: [{ role: "user", content: "secret-prompt" }],
      }),
    });
  /** Closes the server; returns the spans of the request and its upstreams. */
  const close = async () => {
    await running.close();
    expect(collector.text).not.toMatch(/secret|test-key/);
    const server = collector.spans.find(({ kind }) => kind === 2)!;
    const calls = collector.spans.filter(({ kind }) => kind === CLIENT);
    for (const { parentSpanId } of calls)
      expect(parentSpanId).toBe(server.spanId);
    return { server, calls };
  };
  return { send, close, heads, origins };
}

const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };

const completes: RequestListener = (_, response) =>
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ choices: [], usage }));

describe("spans of upstreams", () => {
  test("have the attributes of HTTP clients, and continue the trace", async () => {
    const { send, close, heads, origins } = await runChat(completes);
    expect((await send(false)).status).toBe(200);
    const { calls } = await close();
    expect(calls).toMatchObject([{ name: "POST", status: {} }]);
    expect(calls[0]!.attributes).toEqual({
      [ATTR_HTTP_REQUEST_METHOD]: "POST",
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: 200,
      [ATTR_SERVER_ADDRESS]: "127.0.0.1",
      [ATTR_SERVER_PORT]: Number(new URL(origins[0]!).port),
      [ATTR_URL_FULL]: `${origins[0]}/v1/chat/completions`,
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "vendor-model",
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 2,
    });
    const { traceId, spanId } = calls[0]!;
    expect(heads[0]).toMatchObject({
      traceparent: `00-${traceId}-${spanId}-01`,
    });
    expect(traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(heads[0]).not.toHaveProperty("baggage");
  });

  test("exist for each attempt, with the class of its failure", async () => {
    const { send, close } = await runChat(
      (_, response) => response.writeHead(429).end("{}"),
      (request) => request.socket.destroy(),
      (_, response) => response.end("no JSON"),
      completes,
    );
    expect((await send(false)).status).toBe(200);
    const { server, calls } = await close();
    expect(server.attributes).not.toHaveProperty(ATTR_ERROR_TYPE);
    expect(
      calls.map(({ status, attributes }) => [
        status.code === 2,
        attributes[ATTR_ERROR_TYPE],
        attributes[ATTR_HTTP_RESPONSE_STATUS_CODE],
      ]),
    ).toEqual([
      [true, "429", 429],
      [true, "UND_ERR_SOCKET", undefined],
      [true, "invalid_response", 200],
      [false, undefined, 200],
    ]);
  });

  test("of streams end with the body, and have its usage", async () => {
    let end = (): void => {};
    const { send, close } = await runChat((_, response) => {
      const part = (content: object) => `data: ${JSON.stringify(content)}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(part({ choices: [{ index: 0, delta: {} }] }));
      end = () =>
        void response.end(`${part({ choices: [], usage })}data: [DONE]\n\n`);
    });
    const response = await send(true);
    const pause = 200;
    setTimeout(() => end(), pause);
    await response.text();
    const { calls } = await close();
    expect(calls).toMatchObject([
      {
        status: {},
        attributes: {
          "gen_ai.usage.input_tokens": 7,
          "gen_ai.usage.output_tokens": 2,
        },
      },
    ]);
    const [{ startTimeUnixNano, endTimeUnixNano }] = calls as [SpanData];
    const time = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano));
    expect(time / 1e6).toBeGreaterThan(pause / 2);
  });

  test("of streams whose caller disconnects end without an error", async () => {
    const { send, close } = await runChat((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ choices: [] })}\n\n`);
    });
    const response = await send(true);
    await response.body!.getReader().cancel();
    const { calls } = await close();
    expect(calls).toMatchObject([{ status: {} }]);
    expect(calls[0]!.attributes).not.toHaveProperty(ATTR_ERROR_TYPE);
  });
});

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.runIf(postgres !== undefined)("spans of the database", () => {
  test("exist for queries of requests, without values", async () => {
    const rows = services.filter(({ name }) => name === "marketplace");
    const { url: store } = postgres!;
    const { running, collector } = await run({}, rows, { store });
    const target = "/api/account/details?api_key=test-key";
    expect((await fetch(running.origin + target)).status).toBe(200);
    const invalid = "/api/account/details?api_key=secret-key";
    expect((await fetch(running.origin + invalid)).status).toBe(401);
    await running.close();
    expect(collector.text).not.toMatch(/test-key|secret/);
    const [server] = collector.spans.filter(({ kind }) => kind === 2);
    const queries = collector.spans.filter(({ kind }) => kind === CLIENT);
    // The start of the server and work in the background have no spans.
    const parents = collector.spans.map(({ spanId }) => spanId);
    for (const { parentSpanId } of queries)
      expect(parents).toContain(parentSpanId);
    const url = new URL(store);
    const query = queries.find(({ attributes }) =>
      String(attributes["db.query.text"]).includes("gen_keys"),
    )!;
    expect(query).toMatchObject({
      parentSpanId: server!.spanId,
      name: query.attributes["db.query.summary"],
      status: {},
      attributes: {
        "db.system.name": "postgresql",
        "db.namespace": url.pathname.slice(1),
        "db.query.summary": expect.stringMatching(/^SELECT gen_/),
        "db.query.text": expect.stringContaining("$1"),
        [ATTR_SERVER_ADDRESS]: url.hostname,
        [ATTR_SERVER_PORT]: Number(url.port),
      },
    });
  });

  test.each(["memory", "PostgreSQL"])(
    "and of jobs in %s link to the request that added them",
    async (kind) => {
      const rows = services.filter(({ name }) => name === "migration");
      const store =
        kind === "memory"
          ? {}
          : { store: postgres!.url, data: temporaryFolder() };
      const { running, collector, lines } = await run({}, rows, store);
      const response = await fetch(`${running.origin}/orgs/acme/migrations`, {
        method: "POST",
        headers: {
          authorization: "token owner-token",
          "content-type": "application/json",
          traceparent: PARENT,
        },
        body: '{"repositories":["acme/alpha"]}',
      });
      expect(response.status).toBe(201);
      await vi.waitUntil(
        () => lines.some(({ event }) => event === "exported"),
        20_000,
      );
      await running.close();
      const server = collector.spans.find(({ kind }) => kind === 2)!;
      const job = collector.spans.find(({ kind }) => kind === CONSUMER)!;
      expect(job).toMatchObject({
        name: "process migration",
        status: {},
        links: [{ spanId: server.spanId, traceId: server.traceId }],
        attributes: {
          "gen.service": "migration",
          "gen.job.key": expect.stringMatching(/^acme\/\d+$/),
        },
      });
      expect(job.traceId).not.toBe(server.traceId);
      const children = collector.spans.filter(
        ({ parentSpanId }) => parentSpanId === job.spanId,
      );
      expect(children.length > 0).toBe(kind === "PostgreSQL");
    },
  );
});

test("without the variables, there is no tracer", async () => {
  const running = await runServices({
    rows: services,
    isDemo: true,
    log: () => {},
  });
  expect(tracer).toBeUndefined();
  await running.close();
});

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: "shop" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: " " }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c" }, true],
  [{ OTEL_TRACES_EXPORTER: "console" }, true],
  [
    { OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" },
    false,
  ],
  [{ OTEL_SDK_DISABLED: "TRUE", OTEL_TRACES_EXPORTER: "otlp" }, false],
] as const)("%j requests traces: %s", (environment, isRequested) => {
  expect(isTracingRequested(environment)).toBe(isRequested);
});

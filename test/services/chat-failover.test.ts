import type http from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Breaker, retryTime } from "../../src/services/chat/breaker.js";
import { Metrics } from "../../src/services/operations/metrics.js";
import {
  ask,
  backEnd,
  bodyOf,
  dataOf,
  KEYS,
  post,
  serve,
  type Running,
} from "./chat-support.js";

const EVENTS = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };
const CHUNK = {
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
};

/** Upstream that counts its requests. */
interface Upstream {
  readonly baseUrl: string;
  count: number;
  /** Handles the following requests. */
  respond: http.RequestListener;
}

/** Returns a listener that completes with a text, streamed or not. */
const completes =
  (text: string): http.RequestListener =>
  (request, response) =>
    void bodyOf(request).then((body) => {
      const { stream } = JSON.parse(body) as { stream?: boolean };
      const choice = { index: 0, finish_reason: "stop" };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      if (stream !== true) {
        const message = { role: "assistant", content: text };
        response
          .writeHead(200, JSON_TYPE)
          .end(JSON.stringify({ choices: [{ ...choice, message }], usage }));
        return;
      }
      const delta = { role: "assistant", content: text };
      const chunk = { ...CHUNK, choices: [{ ...choice, delta }], usage };
      response
        .writeHead(200, EVENTS)
        .end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });

const fails =
  (
    status: number,
    headers: Record<string, string> = {},
  ): http.RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { ...JSON_TYPE, ...headers })
      .end(JSON.stringify({ error: { message: `Failed with ${status}` } }));

const breaks: http.RequestListener = (request) => request.socket.destroy();
const silent: http.RequestListener = () => {};

async function upstream(respond: http.RequestListener): Promise<Upstream> {
  const state = { respond, count: 0 };
  const baseUrl = await backEnd((request, response) => {
    state.count++;
    state.respond(request, response);
  });
  return Object.assign(state, { baseUrl });
}

/** Serves a model with several upstreams. */
async function group(
  upstreams: readonly Upstream[],
  settings: readonly object[] = [],
): Promise<Running & { ask(more?: object): Promise<[number, string]> }> {
  const running = await serve({
    keys: KEYS,
    models: {
      "test-model": {
        upstreams: upstreams.map(({ baseUrl }, at) => ({
          baseUrl,
          ...settings[at],
        })),
      },
    },
  });
  return {
    ...running,
    async ask(more = {}) {
      const response = await post(running.origin, ask("a", more));
      const text = await response.text();
      if (response.status !== 200 || text.startsWith("data:"))
        return [response.status, text];
      const { choices } = JSON.parse(text) as {
        choices: { message: { content: string } }[];
      };
      return [200, choices[0]!.message.content];
    },
  };
}

const first = { weight: 1000 };
const backup = { weight: 0 };

describe("requests", () => {
  test("are distributed by weight", async () => {
    const ups = await Promise.all(
      ["a", "b"].map((text) => upstream(completes(text))),
    );
    const { ask } = await group(ups, [{ weight: 3 }, { weight: 1 }]);
    const texts = [];
    for (let count = 0; count < 8; count++) texts.push((await ask())[1]);
    expect(texts.filter((text) => text === "a")).toHaveLength(6);
    expect(texts.slice(0, 4)).toContain("b");
  });

  test.each([
    ["no connection", breaks],
    ["429", fails(429)],
    ["500", fails(500)],
    ["503", fails(503)],
    ["401", fails(401)],
    ["a redirect", fails(302, { location: "http://127.0.0.1:1/" })],
    [
      "a response that is not JSON",
      (_: unknown, response: http.ServerResponse) =>
        response.writeHead(200, EVENTS).end("data: {\n\n"),
    ],
    [
      "an empty stream",
      (_: unknown, response: http.ServerResponse) =>
        response.writeHead(200, EVENTS).end(),
    ],
    [
      "an error as the first event",
      (_: unknown, response: http.ServerResponse) =>
        response
          .writeHead(200, EVENTS)
          .end('data: {"error":{"message":"no"}}\n\n'),
    ],
  ])("are sent to the next upstream after %s", async (_name, respond) => {
    const a = await upstream(respond as http.RequestListener);
    const b = await upstream(completes("b"));
    const { ask, lines } = await group([a, b], [first, backup]);
    expect(await ask()).toEqual([200, "b"]);
    const [status, text] = await ask({ stream: true });
    expect(status).toBe(200);
    expect(dataOf(text)).toEqual([expect.stringContaining('"b"'), "[DONE]"]);
    expect([a.count, b.count]).toEqual([2, 2]);
    const failovers = lines.filter(({ event }) => event === "failover");
    expect(failovers).toHaveLength(2);
    expect(failovers[0]).toMatchObject({
      service: "chat",
      model: "test-model",
      upstream: "1",
      next: "2",
      requestId: expect.stringMatching(/^req_/),
    });
    const metrics = new Metrics();
    for (const line of lines) metrics.observe(line);
    expect((await metrics.scrape()).text).toContain(
      'gen_chat_failovers_total{model="test-model",upstream="1"} 2',
    );
  });

  test("are sent to the next upstream if the first byte is late", async () => {
    const a = await upstream((_, response) => {
      response.writeHead(200, EVENTS).flushHeaders();
    });
    const b = await upstream(completes("b"));
    const { ask } = await group([a, b], [{ ...first, firstByte: 100 }, backup]);
    const started = performance.now();
    const [, text] = await ask({ stream: true });
    expect(dataOf(text)[0]).toContain('"b"');
    expect(performance.now() - started).toBeLessThan(5000);
    a.respond = silent;
    const [, second] = await ask({ stream: true });
    expect(dataOf(second)[0]).toContain('"b"');
    expect(a.count).toBe(2);
  });

  test("have one maximum duration for all upstreams", async () => {
    const ups = await Promise.all([1, 2, 3].map(() => upstream(silent)));
    const { ask } = await group(
      ups,
      Array(3).fill({ maxTime: 1000 }) as object[],
    );
    const started = performance.now();
    expect((await ask())[0]).toBe(504);
    expect(performance.now() - started).toBeLessThan(2500);
  });

  test.each([400, 409, 413, 422])(
    "with status %s are not repeated",
    async (status) => {
      const a = await upstream(fails(status));
      const b = await upstream(completes("b"));
      const { ask } = await group([a, b], [first, backup]);
      const [actual, text] = await ask();
      expect(actual).toBe(status);
      expect(text).toContain(`Failed with ${status}`);
      expect(b.count).toBe(0);
    },
  );

  test("return the error of the last upstream if all fail", async () => {
    const a = await upstream(fails(500));
    const b = await upstream(fails(429, { "retry-after": "7" }));
    const { origin } = await group([a, b], [first, backup]);
    const response = await post(origin, ask("a"));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect([a.count, b.count]).toEqual([1, 1]);
  });

  test("of a caller that disconnects are aborted, not repeated", async () => {
    const a = await upstream(silent);
    const b = await upstream(completes("b"));
    const { origin, lines } = await group([a, b], [first, backup]);
    const controller = new AbortController();
    const response = post(origin, ask("a"), {}, controller.signal);
    await expect.poll(() => a.count).toBe(1);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect
      .poll(() => lines.some(({ status }) => status === 499))
      .toBe(true);
    expect(b.count).toBe(0);
    expect(lines.some(({ event }) => event === "failover")).toBe(false);
  });
});

describe("a stream that dies after its first byte", () => {
  test("ends with an error; no other upstream continues it", async () => {
    const chunk = JSON.stringify({
      ...CHUNK,
      choices: [{ index: 0, delta: { content: "half" }, finish_reason: null }],
    });
    const a = await upstream((_, response) => {
      response
        .writeHead(200, EVENTS)
        .write(`data: ${chunk}\n\n`, () =>
          setTimeout(() => response.destroy(), 20),
        );
    });
    const b = await upstream(completes("b"));
    const { ask, lines } = await group(
      [a, b],
      [{ ...first, breaker: { failures: 2, pause: 60_000 } }, backup],
    );
    for (const count of [1, 2]) {
      const [status, text] = await ask({ stream: true });
      expect(status).toBe(200);
      const data = dataOf(text);
      expect(data).toHaveLength(2);
      expect(data[0]).toContain("half");
      expect(JSON.parse(data[1]!)).toMatchObject({
        error: { code: "upstream_error" },
      });
      expect([a.count, b.count]).toEqual([count, 0]);
    }
    // Streams that die count as failures, although they began.
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "breaker", state: "open" }),
    );
    expect(await ask()).toEqual([200, "b"]);
    expect(a.count).toBe(2);
  });
});

describe("retry-after of an upstream", () => {
  test("is respected: the upstream receives no requests until then", async () => {
    const a = await upstream(fails(429, { "retry-after-ms": "1500" }));
    const b = await upstream(completes("b"));
    const { ask } = await group([a, b], [first, backup]);
    for (let count = 0; count < 4; count++)
      expect(await ask()).toEqual([200, "b"]);
    expect(a.count).toBe(1);
    a.respond = completes("a");
    await expect
      .poll(async () => (await ask())[1], { timeout: 5000 })
      .toBe("a");
  });

  test("of all upstreams is passed to the caller", async () => {
    const ups = await Promise.all(
      ["9", "5"].map((time) => upstream(fails(503, { "retry-after": time }))),
    );
    const { ask: send, origin, service } = await group(ups);
    expect((await send())[0]).toBe(503);
    // Other processes would receive the same response.
    expect(service.problem!()).toBeUndefined();
    const response = await post(origin, ask("b"));
    expect(response.status).toBe(503);
    const wait = Number(response.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(3);
    expect(wait).toBeLessThanOrEqual(5);
    expect(ups.map(({ count }) => count)).toEqual([1, 1]);
  });

  test.each([
    [{}, undefined],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "2", "retry-after-ms": "15" }, 15],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  ])("%j is %s ms", (headers, time) => {
    expect(retryTime(headers)).toBe(time);
  });

  test("can be a date", () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const time = retryTime({ "retry-after": date });
    expect(time).toBeGreaterThan(85_000);
    expect(time).toBeLessThanOrEqual(90_000);
  });
});

describe("a circuit breaker", () => {
  const pause = { breaker: { failures: 2, pause: 1000 } };

  test("opens after consecutive failures, and closes after a successful test", async () => {
    const a = await upstream(fails(500));
    const b = await upstream(completes("b"));
    const { ask, lines, service } = await group(
      [a, b],
      [{ ...first, ...pause, name: "primary" }, backup],
    );
    const open = async (): Promise<unknown> =>
      (await service.gauges!())["gen_chat_breakers_open"];
    for (let count = 0; count < 5; count++)
      expect(await ask()).toEqual([200, "b"]);
    expect(a.count).toBe(2);
    expect(await open()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    // One request tests the upstream; it fails, so the pause begins again.
    const results = await Promise.all([ask(), ask(), ask()]);
    expect(results).toEqual(Array(3).fill([200, "b"]));
    expect(a.count).toBe(3);
    a.respond = completes("a");
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect(await ask()).toEqual([200, "a"]);
    expect(await open()).toBe(0);
    const states = lines
      .filter(({ event }) => event === "breaker")
      .map(({ upstream, state }) => `${String(upstream)} ${String(state)}`);
    expect(states).toEqual(["primary open", "primary closed"]);
  });

  test("of every upstream makes requests fail at once, and the service not ready", async () => {
    const ups = await Promise.all([1, 2].map(() => upstream(fails(500))));
    const { ask: send, origin, service } = await group(ups, [pause, pause]);
    expect(service.problem!()).toBeUndefined();
    for (let count = 0; count < 2; count++) expect((await send())[0]).toBe(502);
    expect(service.problem!()).toBe("no back end is available");
    const response = await post(origin, ask("b"));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: { type: "server_error", code: "upstream_error" },
    });
    expect(ups.map(({ count }) => count)).toEqual([2, 2]);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    // A request can test an upstream again.
    expect(service.problem!()).toBeUndefined();
    ups[0]!.respond = ups[1]!.respond = completes("back");
    expect(await send()).toEqual([200, "back"]);
  });

  test("counts only consecutive failures, and no errors of requests", async () => {
    const breaker = new Breaker({ failures: 2, pause: 100 }, () => 0);
    expect(breaker.fail()).toBe(false);
    breaker.succeed();
    expect(breaker.fail()).toBe(false);
    expect(breaker.isAvailable).toBe(true);
    expect(breaker.fail()).toBe(true);
    expect(breaker.isAvailable).toBe(false);
  });

  test("allows one test at a time", () => {
    let now = 0;
    const breaker = new Breaker({ failures: 1, pause: 100 }, () => now);
    breaker.fail();
    now = 100;
    expect(breaker.isAvailable).toBe(true);
    breaker.start();
    expect(breaker.isAvailable).toBe(false);
    // The caller of the test disconnected; another request tests.
    breaker.release();
    expect(breaker.isAvailable).toBe(true);
    breaker.start();
    expect(breaker.fail()).toBe(false);
    expect(breaker.waitTime).toBe(100);
  });

  test("respects retry-after for ten minutes at most", () => {
    const breaker = new Breaker({ failures: 1, pause: 100 }, () => 0);
    breaker.skip(1e12);
    expect(breaker.waitTime).toBe(600_000);
  });
});

describe("settings of an upstream", () => {
  beforeEach(() => void vi.stubEnv("CHAT_AZURE_KEY", "azure-secret"));
  afterEach(() => void vi.unstubAllEnvs());

  test("allow the headers, query and paths of Azure", async () => {
    const requests: { url: string; headers: http.IncomingHttpHeaders }[] = [];
    const a = await upstream((request, response) => {
      requests.push({ url: request.url!, headers: request.headers });
      if (request.url!.includes("embeddings"))
        response
          .writeHead(200, JSON_TYPE)
          .end('{"object":"list","data":[{"embedding":[1]}]}');
      else completes("a")(request, response);
    });
    const baseUrl = new URL("/openai/deployments/gpt", a.baseUrl).href;
    const { ask, origin } = await group(
      [{ ...a, baseUrl }],
      [
        {
          headers: { "api-key": { env: "CHAT_AZURE_KEY" }, "X-Team": "search" },
          query: { "api-version": "2024-10-21" },
          paths: { embeddings: "/vectors/embeddings" },
        },
      ],
    );
    expect(await ask()).toEqual([200, "a"]);
    await fetch(`${origin}/v1/embeddings`, {
      method: "POST",
      headers: { ...JSON_TYPE, authorization: "Bearer test-key" },
      body: '{"model":"test-model","input":"a"}',
    });
    expect(requests.map(({ url }) => url)).toEqual([
      "/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
      "/openai/deployments/gpt/vectors/embeddings?api-version=2024-10-21",
    ]);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({
        "api-key": "azure-secret",
        "x-team": "search",
      });
      expect(headers.authorization).toBeUndefined();
    }
  });

  test("never appear in errors", async () => {
    const a = await upstream((_, response) =>
      response
        .writeHead(400, JSON_TYPE)
        .end('{"error":{"message":"key azure-secret is wrong"}}'),
    );
    const { ask, lines } = await group(
      [a],
      [{ headers: { "api-key": { env: "CHAT_AZURE_KEY" } } }],
    );
    const [status, text] = await ask();
    expect(status).toBe(400);
    expect(text).not.toContain("azure-secret");
    expect(JSON.stringify(lines)).not.toContain("azure-secret");
  });
});

import type http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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

const SECRET = "upstream-secret-key-1234";

beforeEach(() => void vi.stubEnv("CHAT_UPSTREAM_KEY", SECRET));
afterEach(() => void vi.unstubAllEnvs());

/** Starts a chat service in front of a backend. */
async function proxy(
  listener: http.RequestListener,
  more: object = {},
): Promise<Running> {
  const baseUrl = await backEnd(listener);
  const upstream = { baseUrl, keyEnv: "CHAT_UPSTREAM_KEY", ...more };
  return serve({ keys: KEYS, models: { "test-model": { upstream } } });
}

/** Creates a backend with the same response to all requests. */
const always =
  (
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): http.RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(body);

const EVENTS = { "content-type": "text/event-stream" };

const chunk = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: "up-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "big",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  });
const event = (data: string): string => `data: ${data}\n\n`;
const STREAM = ask("a", { stream: true });

/** Returns a port on which no process listens. */
async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the error of a response, which must not reveal the backend. */
async function errorOf(response: Response): Promise<object> {
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("127.0.0.1");
  const { error } = JSON.parse(text) as { error: object };
  expect(Object.keys(error).sort()).toEqual([
    "code",
    "message",
    "param",
    "type",
  ]);
  return error;
}

describe("a request", () => {
  test("is forwarded unchanged, with the key and model name of the backend", async () => {
    let seen: Record<string, unknown> = {};
    const { origin } = await proxy(
      async (request, response) => {
        const { url, method, headers } = request;
        seen = { url, method, headers, body: await bodyOf(request) };
        always(200, chunk("x"))(request, response);
      },
      { model: 'big"one' },
    );
    const body =
      '{ "unknown" : {"model":1}, "seed":9007199254740993, "model"\n: "test-model" ,"messages":[{"role":"user","content":"\\"model\\":","x":1.0}] }';
    const response = await post(origin, body, { "x-secret": "of the caller" });
    expect(response.status).toBe(200);
    expect(seen).toMatchObject({
      url: "/base/v1/chat/completions",
      method: "POST",
      headers: {
        authorization: `Bearer ${SECRET}`,
        "content-type": "application/json",
        "accept-encoding": "identity",
      },
    });
    expect(seen["body"]).toBe(
      body.replace(' "test-model" ', JSON.stringify('big"one')),
    );
    expect(seen["headers"]).not.toHaveProperty("x-secret");
    expect(await response.json()).toMatchObject({
      id: "up-1",
      model: "test-model",
    });
  });

  test("returns all members of the backend's response", async () => {
    const body = { ...JSON.parse(chunk("x")), extra: { a: [null] } };
    const { origin } = await proxy(always(200, JSON.stringify(body)));
    const response = await post(origin, ask("a"));
    expect(await response.json()).toEqual(body);
  });
});

describe("a stream", () => {
  test("is forwarded chunk by chunk, including unknown members", async () => {
    let go = (): void => {};
    const wait = new Promise<void>((resolve) => (go = resolve));
    const { origin } = await proxy(async (_, response) => {
      response.writeHead(200, EVENTS);
      const first = event(chunk("ä1", { extra: { a: 1 } }));
      const bytes = Buffer.from(`: a comment\r\n\r\nevent: x\n${first}`);
      // Splits a character.
      const cut = bytes.indexOf(0xc3) + 1;
      response.write(bytes.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.write(bytes.subarray(cut));
      await wait;
      response.end(event(chunk("2")) + event("[DONE]"));
    });
    const response = await post(origin, STREAM);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = decoder.decode((await reader.read()).value);
    // The second chunk has not been sent yet.
    expect(dataOf(text)).toEqual([chunk("ä1", { extra: { a: 1 } })]);
    go();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value);
    }
    expect(dataOf(text)).toEqual([
      chunk("ä1", { extra: { a: 1 } }),
      chunk("2"),
      "[DONE]",
    ]);
  });

  test("applies backpressure of the caller", async () => {
    const piece = event(chunk("x".repeat(64 * 1024)));
    const COUNT = 600;
    let sent = 0;
    const { origin } = await proxy(async (_, response) => {
      response.writeHead(200, EVENTS);
      let wake = (): void => {};
      response.on("drain", () => wake());
      response.on("close", () => wake());
      for (; sent < COUNT && !response.destroyed; sent++)
        if (!response.write(piece))
          await new Promise<void>((resolve) => (wake = resolve));
      response.end(event("[DONE]"));
    });
    const response = await post(origin, STREAM);
    const reader = response.body!.getReader();
    await reader.read();
    // Waits until no more data is sent.
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === sent;
          before = sent;
          return isStill;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(COUNT / 2);
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
    }
    expect(sent).toBe(COUNT);
    expect(size).toBeGreaterThan((COUNT - 20) * piece.length);
  });

  test("reuses the connection", async () => {
    const sockets = new Set<unknown>();
    const { origin } = await proxy((request, response) => {
      sockets.add(request.socket);
      response.writeHead(200, EVENTS);
      response.write(event(chunk("x")) + event("[DONE]"));
      setTimeout(() => response.end(), 5);
    });
    for (let count = 0; count < 10; count++) {
      await (await post(origin, STREAM)).text();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    // On a busy machine the end may arrive after the next request.
    expect(sockets.size).toBeLessThan(10);
  });

  const BROKEN: [string, string, string][] = [
    [
      "an error of the back end",
      event(
        '{"error":{"message":"Too hot","type":"server_error","code":"heat"}}',
      ),
      "Too hot",
    ],
    ["an end without [DONE]", "", "The backend's response ended early."],
    [
      "a chunk that is not JSON",
      event("{"),
      "The backend's response is not JSON.",
    ],
    [
      "a chunk without choices",
      event("{}"),
      "The backend's response has no choices.",
    ],
    [
      "a chunk that is not an object",
      event("1"),
      "The backend's response is not an object.",
    ],
  ];

  test.each(BROKEN)(
    "ends with an error event for %s",
    async (_, bad, message) => {
      const { origin, lines } = await proxy((_request, response) => {
        response.writeHead(200, EVENTS);
        response.end(event(chunk("x")) + bad + (bad && event("[DONE]")));
      });
      const response = await post(origin, STREAM);
      expect(response.status).toBe(200);
      const data = dataOf(await response.text());
      expect(data).toHaveLength(2);
      expect(JSON.parse(data[1]!)).toEqual({
        error: {
          message,
          type: "server_error",
          param: null,
          code: message === "Too hot" ? "heat" : "upstream_error",
        },
      });
      expect(lines[1]).toMatchObject({ event: "stream", isWhole: false });
    },
  );

  test("ends with an error event when the connection breaks", async () => {
    const { origin } = await proxy((_, response) => {
      response.writeHead(200, EVENTS);
      response.write(event(chunk("x")));
      setTimeout(() => response.destroy(), 20);
    });
    const data = dataOf(await (await post(origin, STREAM)).text());
    expect(data).toHaveLength(2);
    expect(data[1]).toContain("The connection to the backend was lost.");
  });

  test("that fails before its first chunk is an ordinary error", async () => {
    for (const bad of [BROKEN[0]![1], "", event("{")]) {
      const { origin } = await proxy((_, response) => {
        response.writeHead(200, EVENTS);
        response.end(bad);
      });
      const response = await post(origin, STREAM);
      expect(response.status).toBe(502);
      expect(await errorOf(response)).toMatchObject({ type: "server_error" });
    }
  });

  test("with another content type or an endless event is an error", async () => {
    const plain = await proxy(always(200, chunk("x")));
    expect((await post(plain.origin, STREAM)).status).toBe(502);
    const endless = await proxy((_, response) => {
      response.writeHead(200, EVENTS);
      response.write("data: ");
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65536)));
      };
      response.on("drain", more);
      more();
    });
    expect((await post(endless.origin, STREAM)).status).toBe(502);
  });
});

describe("a caller that disconnects", () => {
  test.each([true, false])("ends the request, stream: %s", async (stream) => {
    let isEnded = false;
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const { origin, lines } = await proxy((_, response) => {
      response.on("close", () => (isEnded = true));
      if (stream) response.writeHead(200, EVENTS).write(event(chunk("x")));
      isAsked();
    });
    const leave = new AbortController();
    const answer = post(origin, ask("a", { stream }), {}, leave.signal);
    await asked;
    if (stream) await (await answer).body!.getReader().read();
    leave.abort();
    await answer.catch(() => {});
    await expect.poll(() => isEnded).toBe(true);
    await expect
      .poll(() => lines.at(-1))
      .toMatchObject({ failure: "status 499" });
  });

  test("or stops reading is disconnected", async () => {
    const piece = event(chunk("x".repeat(64 * 1024)));
    let isEnded = false;
    const baseUrl = await backEnd((_, response) => {
      response.on("close", () => (isEnded = true));
      response.writeHead(200, EVENTS);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    });
    const { origin } = await serve({
      keys: KEYS,
      models: { "test-model": { upstream: { baseUrl } } },
      limits: { stall: 100 },
    });
    const response = await post(origin, STREAM);
    expect(response.status).toBe(200);
    await expect.poll(() => isEnded, { timeout: 10_000 }).toBe(true);
    await expect(response.text()).rejects.toThrow();
  });
});

describe("a failure of the backend", () => {
  const body = (message: string, more: object = {}): string =>
    JSON.stringify({ error: { message, type: "x_error", ...more } });
  const leak = body(`Incorrect key ${SECRET} at http://127.0.0.1`);
  const CASES: [number, string, number, object][] = [
    [
      400,
      body("Bad stop", { param: "stop", code: "bad" }),
      400,
      { message: "Bad stop", type: "x_error", param: "stop", code: "bad" },
    ],
    [400, leak, 400, { message: "The backend rejected the request." }],
    [400, "<html>", 400, { type: "invalid_request_error", param: null }],
    [401, leak, 502, { type: "server_error", code: "upstream_error" }],
    [402, leak, 502, { type: "server_error" }],
    [403, leak, 502, { type: "server_error" }],
    [404, leak, 502, { type: "server_error" }],
    [409, body("Again"), 409, { message: "Again" }],
    [413, body("Long"), 413, { message: "Long" }],
    [418, leak, 502, { type: "server_error" }],
    [422, body("Odd"), 422, { message: "Odd" }],
    [500, leak, 502, { type: "server_error" }],
    [503, leak, 503, { type: "server_error" }],
    [504, leak, 504, { type: "server_error" }],
    [529, leak, 502, { type: "server_error" }],
    [302, "", 502, { type: "server_error" }],
    [200, "<html>", 502, { type: "server_error" }],
    [200, "[]", 502, { type: "server_error" }],
    [200, '{"choices":1}', 502, { type: "server_error" }],
    [204, "", 502, { type: "server_error" }],
  ];

  test.each(CASES)("%i %s becomes %i", async (status, text, own, error) => {
    const headers = { location: "http://127.0.0.1:1/elsewhere" };
    const { origin, lines } = await proxy(always(status, text, headers));
    for (const stream of [false, true]) {
      const response = await post(origin, ask("a", { stream }));
      expect(response.status).toBe(own);
      expect(response.headers.get("location")).toBeNull();
      expect(await errorOf(response)).toMatchObject(error);
    }
    expect(JSON.stringify(lines)).not.toMatch(/upstream-secret|127\.0\.0\.1/);
  });

  test("429 keeps the retry headers", async () => {
    const { origin } = await proxy(
      always(429, body("Slow down", { code: "insufficient_quota" }), {
        "retry-after": "7",
        "retry-after-ms": "6500",
        "x-should-retry": "false",
        "x-other": "1",
      }),
    );
    const response = await post(origin, ask("a"));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("retry-after-ms")).toBe("6500");
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(response.headers.get("x-other")).toBeNull();
    expect(await errorOf(response)).toEqual({
      message: "Slow down",
      type: "x_error",
      param: null,
      code: "insufficient_quota",
    });
  });

  test("an unreachable backend is 502", async () => {
    const upstream = { baseUrl: `http://127.0.0.1:${await closedPort()}/v1` };
    const { origin, lines } = await serve({
      keys: KEYS,
      models: { "test-model": { upstream } },
    });
    const response = await post(origin, ask("a"));
    expect(response.status).toBe(502);
    await errorOf(response);
    expect(lines[0]).toMatchObject({ status: 502, cause: "ECONNREFUSED" });
  });

  test("a backend that sends nothing is 504, before and during a response", async () => {
    const { origin } = await proxy(() => {}, { timeout: 50 });
    for (const stream of [false, true])
      expect((await post(origin, ask("a", { stream }))).status).toBe(504);
    const later = await proxy(
      (_, response) => {
        response.writeHead(200, EVENTS);
        response.write(event(chunk("x")));
      },
      { timeout: 500 },
    );
    const data = dataOf(await (await post(later.origin, STREAM)).text());
    expect(data[1]).toContain(
      "The backend did not respond within the timeout.",
    );
  });

  test("an endless response is aborted by time and size", async () => {
    const endless: http.RequestListener = (_, response) => {
      response.writeHead(200, EVENTS);
      const timer = setInterval(() => response.write(event(chunk("x"))), 5);
      response.on("close", () => clearInterval(timer));
    };
    for (const more of [{ maxTime: 100 }, { maxSize: 1000 }]) {
      const { origin } = await proxy(endless, more);
      const data = dataOf(await (await post(origin, STREAM)).text());
      expect(data.at(-1)).toMatch(/within the timeout|too long/);
    }
    const large = await proxy(always(200, " ".repeat(5000)), { maxSize: 1000 });
    expect((await post(large.origin, ask("a"))).status).toBe(502);
  });
});

describe("closing the service", () => {
  test("waits for a stream to end", async () => {
    let finish = (): void => {};
    const running = await proxy((_, response) => {
      response.writeHead(200, EVENTS).write(event(chunk("x")));
      finish = () => void response.end(event("[DONE]"));
    });
    const response = await post(running.origin, STREAM);
    const closed = running.close();
    setTimeout(() => finish(), 50);
    expect(dataOf(await response.text()).at(-1)).toBe("[DONE]");
    await closed;
  });
});

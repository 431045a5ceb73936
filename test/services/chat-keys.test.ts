import { describe, expect, test } from "vitest";
import {
  createKey,
  getKey,
  revokeKey,
  updateKey,
  type CreatedKey,
  type NewKeySettings,
} from "../../src/services/chat/stored-keys.js";
import {
  listUsage,
  type UsageRow,
} from "../../src/services/chat/usage-records.js";
import { memoryStore } from "../../src/services/store/open.js";
import { StoreError, type Store } from "../../src/services/store/store.js";
import {
  ask,
  backEnd,
  bodyOf,
  dataOf,
  hashed,
  NOW,
  post,
  serve,
  type Running,
} from "./chat-support.js";

const CONFIG = { models: { "test-model": "echo", other: "echo" } };

/** Chat service with a key in its store. */
interface WithKey extends Running {
  readonly store: Store;
  readonly key: CreatedKey;
  /** Sends a message; returns the status. */
  send(content?: string, more?: object): Promise<number>;
}

async function withKey(
  settings: Partial<NewKeySettings> = {},
  config: object = CONFIG,
  now?: () => number,
  store: Store = memoryStore(),
): Promise<WithKey> {
  const running = await serve(config, now, store);
  const key = await createKey(
    store,
    { name: "alice", owner: "team", ...settings },
    NOW,
  );
  const authorization = `Bearer ${key.key}`;
  return {
    ...running,
    store,
    key,
    async send(content = "Hello", more = {}) {
      const body = ask(content, more);
      const response = await post(running.origin, body, { authorization });
      await response.text();
      return response.status;
    },
  };
}

/** Closes a service, which writes its usage, and returns the usage. */
async function usageOf({ close, store }: WithKey): Promise<UsageRow[]> {
  await close();
  return [...(await listUsage(store))];
}

describe("a key of the store", () => {
  test("is accepted, and rejected by the next request after its revocation", async () => {
    const { send, store, key, lines, origin } = await withKey();
    expect(await send()).toBe(200);
    expect(await send("a", { model: "missing" })).toBe(404);
    await updateKey(store, key.id, { models: ["other"] });
    expect(await send()).toBe(403);
    await revokeKey(store, key.id, NOW);
    const response = await post(origin, ask("a"), {
      authorization: `Bearer ${key.key}`,
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: {
        message: "The API key has been revoked.",
        type: "invalid_request_error",
        param: null,
        code: "invalid_api_key",
      },
    });
    const log = JSON.stringify(lines);
    expect(log).toContain('"key":"alice"');
    expect(log).toContain(`"keyId":"${key.id}"`);
    expect(log).not.toContain(key.key);
  });

  test("is rejected from the time at which it expires", async () => {
    let now = NOW;
    const expires = new Date(NOW + 1000).toISOString();
    const { send } = await withKey({ expires }, CONFIG, () => now);
    now += 999;
    expect(await send()).toBe(200);
    now += 1;
    expect(await send()).toBe(401);
  });

  test("has limits, whose changes apply at once", async () => {
    const { send, store, key } = await withKey({
      limits: { requestsPerMinute: 1 },
    });
    expect([await send(), await send()]).toEqual([200, 429]);
    await updateKey(store, key.id, { limits: { requestsPerMinute: 2 } });
    expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
    await updateKey(store, key.id, { limits: null });
    expect(await send()).toBe(200);
  });

  test("is not looked up for tokens of another form", async () => {
    const memory = memoryStore();
    const read: string[] = [];
    const store: Store = {
      ...memory,
      get: (table, key) => {
        read.push(table);
        return memory.get(table, key);
      },
    };
    const { origin } = await withKey({}, CONFIG, undefined, store);
    for (const token of ["", "sk-1", "ck_1"]) {
      const authorization = `Bearer ${token}`;
      const response = await post(origin, ask("a"), { authorization });
      expect(response.status).toBe(401);
    }
    expect(read).toEqual(["chat.keys"]);
  });
});

describe("usage", () => {
  test("is recorded for responses, streams, embeddings and failures", async () => {
    const running = await withKey(
      {},
      {
        models: {
          "test-model": "echo",
          script: { scripted: { rules: [{ error: { status: 500 } }] } },
        },
      },
    );
    const { send, origin, key } = running;
    await send("one two");
    await send("one two", { stream: true });
    await send("one", { model: "script" });
    await fetch(`${origin}/v1/embeddings`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key.key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ model: "test-model", input: "one two three" }),
    });
    // These never reach a back end.
    await send("", { model: "missing" });
    await send("", { messages: [] });
    const common = {
      day: "2026-01-02",
      key: key.id,
      name: "alice",
      owner: "team",
    };
    expect(await usageOf(running)).toEqual([
      {
        ...common,
        model: "script",
        requests: 1,
        estimatedRequests: 0,
        promptTokens: 0,
        completionTokens: 0,
        totalTokens: 0,
      },
      {
        ...common,
        model: "test-model",
        requests: 3,
        // The stream has no usage, because the request does not contain
        // stream_options; its tokens are estimated.
        estimatedRequests: 1,
        promptTokens: 2 + 2 + 3,
        completionTokens: 2 + 2,
        totalTokens: 11,
      },
    ]);
    expect(await getKey(running.store, key.id)).toMatchObject({
      lastUsed: new Date(NOW).toISOString(),
    });
  });

  test("of a stream whose client leaves early is estimated", async () => {
    const running = await withKey();
    const controller = new AbortController();
    const response = await post(
      running.origin,
      ask("word ".repeat(100_000), { stream: true }),
      { authorization: `Bearer ${running.key.key}` },
      controller.signal,
    );
    const reader = response.body!.getReader();
    await reader.read();
    controller.abort();
    await expect
      .poll(() => running.lines.some(({ event }) => event === "stream"))
      .toBe(true);
    const [row] = await usageOf(running);
    expect(row).toMatchObject({
      requests: 1,
      estimatedRequests: 1,
      promptTokens: 125_000,
    });
    expect(row!.completionTokens).toBeGreaterThan(0);
    expect(row!.completionTokens).toBeLessThan(125_000);
  });

  test("of an upstream is that of its response, or estimated without it", async () => {
    const baseUrl = await backEnd((request, response) => {
      void bodyOf(request).then((text) => {
        const message = {
          content: null,
          tool_calls: [{ function: { name: "find", arguments: "{}12" } }],
        };
        const usage = {
          prompt_tokens: 30,
          completion_tokens: 4,
          total_tokens: 34,
        };
        response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({
            choices: [{ index: 0, message, finish_reason: "tool_calls" }],
            ...(text.includes("with usage") ? { usage } : {}),
          }),
        );
      });
    });
    const running = await withKey(
      {},
      {
        models: { "test-model": { upstream: { baseUrl } } },
      },
    );
    await running.send("with usage");
    await running.send("without ");
    expect(await usageOf(running)).toMatchObject([
      {
        requests: 2,
        estimatedRequests: 1,
        promptTokens: 30 + 2,
        completionTokens: 4 + 2,
      },
    ]);
  });

  test.each([
    { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1e300 },
    { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2.5 },
    { prompt_tokens: -1, completion_tokens: 1, total_tokens: -1 },
    { prompt_tokens: "1", total_tokens: "2" },
    [],
  ])("that is not plausible (%j) is estimated", async (usage) => {
    const choices = [{ index: 0, message: { content: "12345678" } }];
    const baseUrl = await backEnd((_, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ choices, usage })),
    );
    const running = await withKey(
      {},
      {
        models: { "test-model": { upstream: { baseUrl } } },
      },
    );
    expect(await running.send("1234")).toBe(200);
    expect(await usageOf(running)).toMatchObject([
      { estimatedRequests: 1, promptTokens: 1, completionTokens: 2 },
    ]);
  });

  test.each([
    [{}, { include_usage: true }, false],
    [{ stream_options: null }, { include_usage: true }, false],
    [
      { stream_options: { x: 1, include_usage: false } },
      { x: 1, include_usage: true },
      false,
    ],
    [
      { stream_options: { include_usage: true } },
      { include_usage: true },
      true,
    ],
  ])(
    "of a stream can be requested from the upstream: %j",
    async (more, options, isShown) => {
      const bodies: string[] = [];
      const event = (data: object): string =>
        `data: ${JSON.stringify(data)}\n\n`;
      const baseUrl = await backEnd((request, response) => {
        void bodyOf(request).then((text) => {
          bodies.push(text);
          const usage = {
            prompt_tokens: 30,
            completion_tokens: 4,
            total_tokens: 34,
          };
          response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(
              event({ choices: [{ index: 0, delta: { content: "a" } }] }) +
                event({ choices: [], filter: "result" }) +
                event({ choices: [], usage }) +
                "data: [DONE]\n\n",
            );
        });
      });
      const upstream = { baseUrl, streamUsage: true, model: "big" };
      const running = await withKey(
        {},
        { models: { "test-model": { upstream } } },
      );
      const response = await post(
        running.origin,
        ask("hi", { stream: true, ...more }),
        { authorization: `Bearer ${running.key.key}` },
      );
      const data = dataOf(await response.text());
      expect(data).toHaveLength(isShown ? 4 : 3);
      expect(data.join("").includes("usage")).toBe(isShown);
      expect(data.join("")).toContain("filter");
      expect(JSON.parse(bodies[0]!)).toEqual({
        model: "big",
        messages: [{ role: "user", content: "hi" }],
        stream: true,
        stream_options: options,
      });
      expect(await usageOf(running)).toMatchObject([
        { estimatedRequests: 0, promptTokens: 30, completionTokens: 4 },
      ]);
    },
  );

  test("of keys of the config has the owner of the config", async () => {
    const store = memoryStore();
    const keys = [{ name: "ci", key: hashed("test-key"), owner: "build" }];
    const { origin, close } = await serve(
      { ...CONFIG, keys },
      undefined,
      store,
    );
    await post(origin, ask("a"));
    await close();
    expect(await listUsage(store)).toMatchObject([
      { key: hashed("test-key").slice(7, 23), name: "ci", owner: "build" },
    ]);
  });

  test("of a range that ends before it starts is refused", async () => {
    const range = { from: "2026-02-01", to: "2026-01-31" };
    await expect(listUsage(memoryStore(), range)).rejects.toThrow(
      "from must not be after to",
    );
  });

  test("is written within a second, and remains pending while the store fails", async () => {
    const memory = memoryStore();
    let fails = true;
    const store: Store = {
      ...memory,
      transaction: (run) =>
        fails
          ? Promise.reject(new StoreError("unavailable", "full"))
          : memory.transaction(run),
    };
    const running = await serve(
      { ...CONFIG, keys: [{ name: "ci", key: hashed("test-key") }] },
      undefined,
      store,
    );
    await post(running.origin, ask("a"));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await listUsage(memory)).toEqual([]);
    fails = false;
    await expect
      .poll(() => listUsage(memory), { timeout: 3000 })
      .toMatchObject([{ requests: 1 }]);
  });

  test("that can't be written at the end is in the log", async () => {
    const store: Store = {
      ...memoryStore(),
      transaction: () => Promise.reject(new StoreError("unavailable", "full")),
    };
    const running = await serve(
      { ...CONFIG, keys: [{ name: "ci", key: hashed("test-key") }] },
      undefined,
      store,
    );
    await post(running.origin, ask("a"));
    await running.close();
    expect(running.lines.at(-1)).toMatchObject({
      event: "usage-lost",
      name: "ci",
      model: "test-model",
      requests: 1,
      promptTokens: 1,
    });
  });
});

describe("a budget", () => {
  test("that is used up is 429 with the rest and the time of its reset", async () => {
    let now = NOW;
    const { send, origin, key } = await withKey(
      { budgets: { tokensPerDay: 10 } },
      CONFIG,
      () => now,
    );
    expect(await send("one two three four")).toBe(200);
    const request = (): Promise<Response> =>
      post(origin, ask("a bc def ghij klmno"), {
        authorization: `Bearer ${key.key}`,
      });
    const response = await request();
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      error: {
        message:
          "The budget of 10 tokens per day has 2 tokens left, and the request needs at least 5. It resets at 2026-01-03T00:00:00Z.",
        type: "insufficient_quota",
        param: null,
        code: "insufficient_quota",
      },
    });
    expect(response.headers.get("retry-after")).toBe(
      String((Date.UTC(2026, 0, 3) - NOW) / 1000),
    );
    expect(response.headers.get("x-should-retry")).toBe("false");
    // A smaller request fits.
    expect(await send("a")).toBe(200);
    expect(await send("a")).toBe(429);
    now = Date.UTC(2026, 0, 3);
    expect(await send("a")).toBe(200);
  });

  test("of a month includes the usage before the start of the process", async () => {
    const store = memoryStore();
    const first = await withKey({}, CONFIG, () => NOW, store);
    await first.send("one two three four");
    await first.close();
    const budgets = { tokensPerMonth: 9 };
    await updateKey(store, first.key.id, { budgets });
    const nextDay = NOW + 86_400_000;
    const second = await serve(CONFIG, () => nextDay, store);
    const send = async (): Promise<Response> =>
      post(second.origin, ask("a"), {
        authorization: `Bearer ${first.key.key}`,
      });
    expect((await send()).status).toBe(200);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("2026-02-01T00:00:00Z");
  });

  test("of 0 tokens refuses every request", async () => {
    const { send } = await withKey({ budgets: { tokensPerDay: 0 } });
    expect(await send("")).toBe(429);
  });

  test("crossed by concurrent requests admits those whose prompts fit", async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const baseUrl = await backEnd((request, response) => {
      void bodyOf(request)
        .then(() => released)
        .then(() => {
          const message = { role: "assistant", content: "x" };
          const choices = [{ index: 0, message, finish_reason: "stop" }];
          const usage = {
            prompt_tokens: 10,
            completion_tokens: 1,
            total_tokens: 11,
          };
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ choices, usage }));
        });
    });
    const running = await withKey(
      { budgets: { tokensPerDay: 100 } },
      { models: { "test-model": { upstream: { baseUrl } } } },
    );
    const statuses: number[] = [];
    const requests = Array.from({ length: 50 }, async () =>
      statuses.push(await running.send("x".repeat(40))),
    );
    // Refusals do not wait for the requests in flight.
    await expect
      .poll(() => statuses, { timeout: 10_000 })
      .toEqual(Array(40).fill(429));
    release();
    await Promise.all(requests);
    expect(statuses.slice(40)).toEqual(Array(10).fill(200));
    expect(await running.send("x")).toBe(429);
    expect(await usageOf(running)).toMatchObject([
      { requests: 10, totalTokens: 110 },
    ]);
  });

  test("is released when a request fails", async () => {
    const running = await withKey(
      { budgets: { tokensPerDay: 10 } },
      {
        models: {
          "test-model": { scripted: { rules: [{ error: { status: 500 } }] } },
        },
      },
    );
    for (let count = 0; count < 5; count++)
      expect(await running.send("x".repeat(40))).toBe(500);
  });

  test("applies to a stream before its start", async () => {
    const running = await withKey({ budgets: { tokensPerDay: 1 } });
    const { origin, key } = running;
    const authorization = `Bearer ${key.key}`;
    const body = ask("a", { stream: true });
    const first = await post(origin, body, { authorization });
    expect(dataOf(await first.text()).at(-1)).toBe("[DONE]");
    const second = await post(origin, body, { authorization });
    expect(second.status).toBe(429);
    expect(second.headers.get("content-type")).toContain("application/json");
  });
});

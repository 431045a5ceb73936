import net from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, hashed, KEYS, post, serve } from "./chat-support.js";

const ECHO = { keys: KEYS, models: { "test-model": "echo" } };

interface ErrorBody {
  error: { message: string; type: string; param: unknown; code: unknown };
}

/** Returns the error of a response, which must have exactly four members. */
async function errorOf(response: Response): Promise<ErrorBody["error"]> {
  expect(response.headers.get("content-type")).toBe(
    "application/json; charset=utf-8",
  );
  expect(response.headers.get("x-request-id")).toMatch(/^req_\w{32}$/);
  const { error, ...rest } = (await response.json()) as ErrorBody;
  expect(rest).toEqual({});
  expect(Object.keys(error).sort()).toEqual([
    "code",
    "message",
    "param",
    "type",
  ]);
  expect(error.message).not.toBe("");
  return error;
}

const user = (content: unknown): object => ({ role: "user", content });
const withMessages = (...messages: unknown[]): object => ({
  model: "test-model",
  messages,
});

/** Case, body, and member that the error names. */
const BAD_BODIES: [string, unknown, string | null][] = [
  ["no body", "", null],
  ["no JSON", '{"model":', null],
  ["an array", "[]", null],
  ["null", "null", null],
  ["no model", { messages: [user("a")] }, "model"],
  ["a model that is not a string", { ...ask("a"), model: 1 }, "model"],
  ["no messages", { model: "test-model" }, "messages"],
  ["empty messages", withMessages(), "messages"],
  ["messages that are no list", { ...ask("a"), messages: {} }, "messages"],
  ["a message that is not an object", withMessages("a"), "messages[0]"],
  ["no role", withMessages({ content: "a" }), "messages[0].role"],
  [
    "an unknown role",
    withMessages(user("a"), { role: "wizard", content: "a" }),
    "messages[1].role",
  ],
  [
    "a role that is not a string",
    withMessages({ role: 1 }),
    "messages[0].role",
  ],
  ["no content", withMessages({ role: "user" }), "messages[0].content"],
  ["null for a user", withMessages(user(null)), "messages[0].content"],
  ["a number as content", withMessages(user(1)), "messages[0].content"],
  ["an object as content", withMessages(user({})), "messages[0].content"],
  [
    "a part that is not an object",
    withMessages(user(["a"])),
    "messages[0].content[0]",
  ],
  [
    "a part without type",
    withMessages(user([{ text: "a" }])),
    "messages[0].content[0].type",
  ],
  [
    "a text part without text",
    withMessages(user([{ type: "text" }])),
    "messages[0].content[0].text",
  ],
  [
    "an image without URL",
    withMessages(user([{ type: "image_url", image_url: {} }])),
    "messages[0].content[0].image_url.url",
  ],
  ["stream that is not a boolean", ask("a", { stream: "true" }), "stream"],
  [
    "bad stream options",
    ask("a", { stream: true, stream_options: { include_usage: 1 } }),
    "stream_options.include_usage",
  ],
  ["a temperature out of range", ask("a", { temperature: 3 }), "temperature"],
  ["n of 0", ask("a", { n: 0 }), "n"],
  ["n of 129", ask("a", { n: 129 }), "n"],
  [
    "max_tokens that is not a number",
    ask("a", { max_tokens: "1" }),
    "max_tokens",
  ],
  ["max_tokens of 1.5", ask("a", { max_tokens: 1.5 }), "max_tokens"],
  ["stop that is a number", ask("a", { stop: 1 }), "stop"],
  ["five stops", ask("a", { stop: ["1", "2", "3", "4", "5"] }), "stop"],
  [
    "a bad tool",
    ask("a", { tools: [{ type: "function" }] }),
    "tools[0].function",
  ],
  ["tool_choice as a number", ask("a", { tool_choice: 1 }), "tool_choice"],
  [
    "a key that stands twice",
    '{"model":"test-model","messages":[{"role":"system","r\\u006fle":"user","content":"a"}]}',
    "messages[0].role",
  ],
  [
    "deep nesting",
    `{"model":"test-model","messages":${"[".repeat(5000)}`,
    null,
  ],
];

describe("400", () => {
  test.each(BAD_BODIES)("for %s", async (_, body, param) => {
    const { origin } = await serve(ECHO);
    const response = await post(origin, body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error).toMatchObject({ type: "invalid_request_error", param });
  });

  test("for missing members, with a code of their own", async () => {
    const { origin } = await serve(ECHO);
    for (const body of [
      { messages: [user("a")] },
      withMessages({ role: "user" }),
    ]) {
      const error = await errorOf(await post(origin, body));
      expect(error.code).toBe("missing_required_parameter");
    }
  });

  test("for bytes that are not UTF-8, but not for U+FFFD itself", async () => {
    const { origin } = await serve(ECHO);
    const text = JSON.stringify(ask("x"));
    const at = text.indexOf("x");
    const bytes = Buffer.from(text);
    bytes[at] = 0xff;
    const send = (body: Uint8Array) =>
      fetch(`${origin}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer test-key" },
        body: body as BodyInit,
      });
    const bad = await send(bytes);
    expect(bad.status).toBe(400);
    expect((await errorOf(bad)).message).toBe("The body is not UTF-8.");
    const good = await send(Buffer.from(text.replace("x", "\uFFFD")));
    expect(good.status).toBe(200);
  });

  test("does not affect later requests", async () => {
    const { origin } = await serve(ECHO);
    const answer = async (): Promise<string> =>
      // Ids and times differ.
      (await (await post(origin, ask("a"))).text())
        .replace(/chatcmpl-\w+/, "")
        .replace(/"created":\d+/, "");
    const before = await answer();
    for (const [, body] of BAD_BODIES) await (await post(origin, body)).text();
    expect(await answer()).toBe(before);
  });
});

describe("401", () => {
  const CASES: [string, Record<string, string>][] = [
    ["no key", { authorization: "" }],
    ["another key", { authorization: "Bearer sk-another" }],
    ["another scheme", { authorization: "Basic test-key" }],
    ["a bare key", { authorization: "test-key" }],
    ["no key behind the scheme", { authorization: "Bearer " }],
    ["two keys", { authorization: "Bearer test-key test-key" }],
    ["a longer key", { authorization: "Bearer test-key2" }],
    ["a key in another header", { authorization: "", "api-key": "test-key" }],
  ];

  test.each(CASES)("for %s", async (_, headers) => {
    const { origin, lines } = await serve(ECHO);
    const response = await post(origin, ask("a"), headers);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await errorOf(response)).toEqual({
      message: "Incorrect API key provided.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_api_key",
    });
    expect(JSON.stringify(lines)).not.toMatch(/test-key|sk-another/);
  });

  test("precedes the validation of the body", async () => {
    const { origin } = await serve(ECHO);
    const response = await post(origin, "{", { authorization: "Bearer no" });
    expect(response.status).toBe(401);
  });
});

describe("other statuses", () => {
  test("404 for an unknown model", async () => {
    const { origin } = await serve(ECHO);
    for (const model of ["none", "__proto__", "constructor", ""]) {
      const response = await post(origin, { ...ask("a"), model });
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      });
    }
  });

  test("404 for other paths, in the same format", async () => {
    const { origin } = await serve(ECHO);
    for (const path of ["/v1/responses", "/v1/", "/v1/chat/x", "/v1/models/"]) {
      const response = await fetch(origin + path, { method: "POST" });
      expect(response.status, path).toBe(404);
      expect(await errorOf(response)).toMatchObject({
        type: "invalid_request_error",
        param: null,
      });
    }
  });

  test("404 for other endpoints of the protocol names the call to use", async () => {
    const { origin } = await serve(ECHO);
    const messageOf = async (path: string): Promise<string> => {
      const response = await fetch(origin + path, { method: "POST" });
      expect(response.status).toBe(404);
      return (await errorOf(response)).message;
    };
    expect(await messageOf("/v1/responses")).toContain("openai.chat(model)");
    expect(await messageOf("/v1/audio")).toContain("/v1/audio;");
    expect(await messageOf("/v1/responsesx")).not.toContain("openai.chat");
  });

  test("405 lists the methods of the path", async () => {
    const { origin } = await serve(ECHO);
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const path = `${origin}/v1/chat/completions`;
      const response = await fetch(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect((await errorOf(response)).type).toBe("invalid_request_error");
    }
    const response = await fetch(`${origin}/v1/models`, { method: "POST" });
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  test("413 for a body that is too long", async () => {
    const { origin } = await serve({ ...ECHO, limits: { bodySize: 1000 } });
    const response = await post(origin, ask("x".repeat(1000)));
    expect(response.status).toBe(413);
    expect((await errorOf(response)).type).toBe("invalid_request_error");
    expect((await post(origin, ask("x"))).status).toBe(200);
  });

  test("415 for a body of another type or in an unknown encoding", async () => {
    const { origin } = await serve(ECHO);
    const cases: Record<string, string>[] = [
      { "content-type": "application/xml" },
      { "content-encoding": "br" },
    ];
    for (const headers of cases) {
      const response = await post(origin, ask("x"), headers);
      expect(response.status).toBe(415);
      expect((await errorOf(response)).type).toBe("invalid_request_error");
    }
  });

  test("503 for too many completions in flight", async () => {
    const { origin } = await serve({
      keys: KEYS,
      models: {
        "test-model": { scripted: { rules: [{ answer: "a", delay: 300 }] } },
      },
      limits: { concurrent: 1 },
    });
    const first = post(origin, ask("a"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await post(origin, ask("a"));
    expect(second.status).toBe(503);
    expect(second.headers.get("retry-after")).toBe("1");
    expect((await errorOf(second)).type).toBe("server_error");
    expect((await first).status).toBe(200);
    expect((await post(origin, ask("a"))).status).toBe(200);
  });

  test("a protocol error closes only its own connection", async () => {
    const { origin } = await serve(ECHO);
    const { port } = new URL(origin);
    const socket = net.connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write(
      "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\nX: \u0000b\r\n\r\n",
    );
    await new Promise((resolve) => socket.on("close", resolve).resume());
    expect((await post(origin, ask("a"))).status).toBe(200);
  });
});

describe("429", () => {
  const limited = (limits: object): object => ({
    keys: [
      { ...KEYS[0], limits },
      { name: "free", key: hashed("free") },
    ],
    models: { "test-model": "echo" },
  });

  test("for too many requests of one key, until time has passed", async () => {
    let time = 0;
    const { origin } = await serve(
      limited({ requestsPerMinute: 2 }),
      () => time,
    );
    const first = await post(origin, ask("a"));
    expect(first.headers.get("x-ratelimit-limit-requests")).toBe("2");
    expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("1");
    expect(first.headers.get("x-ratelimit-reset-requests")).toBe("30.000s");
    expect((await post(origin, ask("a", { stream: true }))).status).toBe(200);
    const response = await post(origin, ask("a"));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("30");
    expect(response.headers.get("retry-after-ms")).toBe("30000");
    expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    expect(await errorOf(response)).toMatchObject({
      type: "requests",
      param: null,
      code: "rate_limit_exceeded",
    });
    const other = { authorization: "Bearer free" };
    expect((await post(origin, ask("a"), other)).status).toBe(200);
    time += 29_999;
    expect((await post(origin, ask("a"))).status).toBe(429);
    time += 1;
    expect((await post(origin, ask("a"))).status).toBe(200);
  });

  test("for too many tokens, including those of responses", async () => {
    let time = 0;
    const { origin } = await serve(
      limited({ tokensPerMinute: 60 }),
      () => time,
    );
    const many = ask(Array(40).fill("a").join(" "));
    const first = await post(origin, many);
    expect(first.status).toBe(200);
    const response = await post(origin, ask("a"));
    expect(response.status).toBe(429);
    expect((await errorOf(response)).type).toBe("tokens");
    expect(response.headers.get("x-should-retry")).toBeNull();
    time += Number(response.headers.get("retry-after-ms"));
    expect((await post(origin, ask("a"))).status).toBe(200);
  });

  test("for a request above the limit of a minute, with x-should-retry: false", async () => {
    const { origin } = await serve(limited({ tokensPerMinute: 10 }));
    const response = await post(origin, ask("x".repeat(1000)));
    expect(response.status).toBe(429);
    expect(response.headers.get("x-should-retry")).toBe("false");
  });
});

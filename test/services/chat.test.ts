import { describe, expect, test } from "vitest";
import { rounds } from "../support/full.js";
import type { ChatMessage } from "../../generated/chat/v1/schemas.js";
import { createChat } from "../../generated/chat/v1/index.js";
import { ask, dataOf, hashed, KEYS, NOW, post, serve } from "./chat-support.js";

const STREAMS = rounds(1000, 250);

const ECHO = { keys: KEYS, models: { "test-model": "echo" } };

interface Choice {
  index: number;
  message: { role: string; content: string | null };
  delta: { role?: string; content?: string };
  finish_reason: string | null;
}

interface Body {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: Choice[];
  usage?: object | null;
}

async function answerTo(origin: string, body: unknown): Promise<Body> {
  const response = await post(origin, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

async function chunksOf(origin: string, body: object): Promise<Body[]> {
  const response = await post(origin, { ...body, stream: true });
  const data = dataOf(await response.text());
  expect(data.pop()).toBe("[DONE]");
  return data.map((text) => JSON.parse(text) as Body);
}

/** Joins the text of a choice from all its chunks. */
function textIn(chunks: readonly Body[], index = 0): string {
  return chunks
    .flatMap(({ choices }) => choices)
    .filter((choice) => choice.index === index)
    .map(({ delta }) => delta.content ?? "")
    .join("");
}

describe("a response without streaming", () => {
  test("repeats the last user message, with all members", async () => {
    const { origin } = await serve(ECHO);
    const response = await post(origin, ask("Hello there, world"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
    expect(response.headers.get("x-request-id")).toMatch(/^req_\w{32}$/);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w+$/),
      object: "chat.completion",
      created: NOW / 1000,
      model: "test-model",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hello there, world",
            refusal: null,
          },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 },
      system_fingerprint: "fp_echo",
    });
  });

  test("is the same for the same request except for its id", async () => {
    const { origin } = await serve(ECHO);
    const [one, two, other] = await Promise.all([
      answerTo(origin, ask("a")),
      answerTo(origin, ask("a")),
      answerTo(origin, ask("b")),
    ]);
    expect({ ...one, id: "", created: 0 }).toEqual({
      ...two,
      id: "",
      created: 0,
    });
    expect(new Set([one.id, two.id, other.id]).size).toBe(3);
  });

  test("stops at a stop sequence", async () => {
    const { origin } = await serve(ECHO);
    const cases: [object, string, string][] = [
      [{ max_tokens: 2 }, "one two", "length"],
      [{ max_completion_tokens: 1, max_tokens: 3 }, "one", "length"],
      [{ max_tokens: 4 }, "one two three four", "stop"],
      [{ stop: " three" }, "one two", "stop"],
      [{ stop: ["four", "two", ""] }, "one ", "stop"],
      [{ stop: null, max_tokens: null }, "one two three four", "stop"],
    ];
    for (const [more, content, finish] of cases) {
      const answer = await answerTo(origin, ask("one two three four", more));
      expect(answer.choices[0]).toMatchObject({
        message: { content },
        finish_reason: finish,
      });
    }
  });

  test("has the requested number of choices", async () => {
    const { origin } = await serve(ECHO);
    const answer = await answerTo(origin, ask("a b", { n: 3 }));
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(answer.usage).toEqual({
      prompt_tokens: 2,
      completion_tokens: 6,
      total_tokens: 8,
    });
  });

  test("is limited, whatever is requested", async () => {
    const echo = { maxTokens: 10 };
    const { origin } = await serve({
      keys: KEYS,
      models: { "test-model": { echo } },
    });
    const answer = await answerTo(origin, ask("x".repeat(100_000), { n: 5 }));
    expect(answer.choices[4]).toMatchObject({
      message: { content: "x".repeat(128) },
      finish_reason: "length",
    });
  });

  test("accepts every form of content and role", async () => {
    const { origin } = await serve(ECHO);
    const image = { type: "image_url", image_url: { url: "data:," } };
    const parts = [{ type: "text", text: "Look" }, image, { type: "new" }];
    expect(
      (await answerTo(origin, ask(parts))).choices[0]?.message.content,
    ).toBe("Look");
    expect((await answerTo(origin, ask(""))).choices[0]?.message.content).toBe(
      "",
    );
    const call = { name: "f", arguments: "{}" };
    const answer = await answerTo(origin, {
      model: "test-model",
      messages: [
        { role: "developer", content: "d" },
        { role: "system", content: "s" },
        { role: "user", content: "u" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", type: "function", function: call }],
        },
        { role: "tool", tool_call_id: "1", content: "t" },
        { role: "function", name: "f", content: "f" },
        { role: "assistant" },
      ],
      unknown_field: { a: [1] },
    });
    expect(answer.choices[0]?.message.content).toBe("u");
  });
});

describe("a stream", () => {
  test("has the role first, then the finish reason and [DONE]", async () => {
    const { origin } = await serve(ECHO);
    const response = await post(origin, ask("Hi you", { stream: true }), {
      accept: "application/json",
    });
    expect(response.headers.get("content-type")).toBe(
      "text/event-stream; charset=utf-8",
    );
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("content-length")).toBeNull();
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    const data = dataOf(await response.text());
    expect(data.pop()).toBe("[DONE]");
    const chunks = data.map((text) => JSON.parse(text) as Body);
    const choice = { index: 0, logprobs: null, finish_reason: null };
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ ...choice, delta: { role: "assistant", content: "" } }],
      [{ ...choice, delta: { content: "Hi" } }],
      [{ ...choice, delta: { content: " you" } }],
      [{ ...choice, delta: {}, finish_reason: "stop" }],
    ]);
    for (const chunk of chunks)
      expect(chunk).toMatchObject({
        id: chunks[0]?.id,
        object: "chat.completion.chunk",
        created: NOW / 1000,
        model: "test-model",
      });
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
  });

  test("has another chunk with the usage on request", async () => {
    const { origin } = await serve(ECHO);
    const stream_options = { include_usage: true };
    const chunks = await chunksOf(origin, ask("a b", { stream_options }));
    const last = chunks.pop();
    expect(last).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) {
      expect(chunk.usage).toBeNull();
      expect(chunk.choices).toHaveLength(1);
    }
  });

  test("returns the text of all choices unchanged", async () => {
    const { origin } = await serve(ECHO);
    const text = `\u2028 tab\t\r\ndata: [DONE]\n\n${"😀".repeat(100)}${" ".repeat(70)}\ud800 end `;
    const chunks = await chunksOf(origin, ask(text, { n: 2 }));
    expect(textIn(chunks, 0)).toBe(text);
    expect(textIn(chunks, 1)).toBe(text);
  });

  test("ends without an error when the caller disconnects", async () => {
    const { origin, lines } = await serve({
      keys: KEYS,
      models: {
        "test-model": {
          scripted: { rules: [{ answer: "a b c d", chunkDelay: 20 }] },
        },
      },
    });
    const leave = new AbortController();
    const response = await post(
      origin,
      ask("x", { stream: true }),
      {},
      leave.signal,
    );
    await response.body!.getReader().read();
    leave.abort();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[1]).toMatchObject({
      event: "stream",
      isWhole: false,
      failure: "status 499",
    });
  });

  test(`${STREAMS} concurrent streams keep the order of all chunks`, async () => {
    const { origin } = await serve(ECHO);
    const texts = Array.from({ length: STREAMS }, (_, caller) =>
      Array.from({ length: 50 }, (_, index) => `${caller}.${index}`).join(" "),
    );
    const answers = await Promise.all(
      texts.map((text) => chunksOf(origin, ask(text))),
    );
    answers.forEach((chunks, caller) => {
      expect(chunks).toHaveLength(52);
      expect(textIn(chunks)).toBe(texts[caller]);
    });
  });
});

describe("models", () => {
  const config = {
    keys: [...KEYS, { name: "few", key: hashed("few"), models: ["org/small"] }],
    models: {
      "test-model": { echo: {}, created: 17, ownedBy: "me" },
      "org/small": "echo",
    },
  };
  const get = (origin: string, path: string, key = "test-key") =>
    fetch(`${origin}/v1/models${path}`, {
      headers: { authorization: `bearer ${key}` },
    });

  test("lists the models that the key may use", async () => {
    const { origin } = await serve(config);
    const small = {
      id: "org/small",
      object: "model",
      created: NOW / 1000,
      owned_by: "system",
    };
    const big = {
      id: "test-model",
      object: "model",
      created: 17,
      owned_by: "me",
    };
    const all = await get(origin, "");
    expect(await all.json()).toEqual({ object: "list", data: [big, small] });
    const few = await get(origin, "", "few");
    expect(await few.json()).toEqual({ object: "list", data: [small] });
    const one = await get(origin, "/org%2Fsmall");
    expect(await one.json()).toEqual(small);
    expect((await get(origin, "/test-model", "few")).status).toBe(403);
    expect((await get(origin, "/none")).status).toBe(404);
  });

  test("refuses models that the key may not use", async () => {
    const { origin } = await serve(config);
    const response = await post(origin, ask("a"), {
      authorization: "Bearer few",
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: {
        message: "The API key is not allowed to use this model.",
        type: "invalid_request_error",
        param: "model",
        code: "model_not_allowed",
      },
    });
  });
});

describe("the generated client", () => {
  const messages: ChatMessage[] = [{ role: "user", content: "To the client" }];

  test("receives responses, streams and models", async () => {
    const { origin } = await serve(ECHO);
    const chat = createChat({ rootUrl: `${origin}/`, auth: () => "test-key" });
    const requestBody = { model: "test-model", messages };
    const answer = await chat.chat.completions.create({ requestBody });
    expect(answer.choices?.[0]?.message?.content).toBe("To the client");
    let text = "";
    for await (const chunk of chat.chat.completions.create({ requestBody }))
      text += chunk.choices?.[0]?.delta?.content ?? "";
    expect(text).toBe("To the client");
    const { data } = await chat.models.list();
    expect(data?.map(({ id }) => id)).toEqual(["test-model"]);
    expect((await chat.models.get({ model: "test-model" })).id).toBe(
      "test-model",
    );
  });

  test("receives errors with their parameter", async () => {
    const { origin } = await serve(ECHO);
    const chat = createChat({ rootUrl: `${origin}/`, auth: () => "wrong" });
    const requestBody = { model: "test-model", messages };
    await expect(
      chat.chat.completions.create({ requestBody }),
    ).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining("Incorrect API key"),
    });
  });

  test("cancels a stream without affecting the service", async () => {
    const { origin, lines } = await serve(ECHO);
    const chat = createChat({ rootUrl: `${origin}/`, auth: () => "test-key" });
    const long = "word ".repeat(100_000);
    const body = { model: "test-model" };
    const stream = chat.chat.completions.create({
      requestBody: { ...body, messages: [{ role: "user", content: long }] },
    });
    for await (const chunk of stream) {
      expect(chunk.choices?.[0]?.delta?.role).toBe("assistant");
      break;
    }
    await expect
      .poll(() => lines.find(({ event }) => event === "stream"))
      .toMatchObject({ isWhole: false });
    const requestBody = { ...body, messages };
    const answer = await chat.chat.completions.create({ requestBody });
    expect(answer.choices?.[0]?.message?.content).toBe("To the client");
  });
});

// Tests the chat service with popular clients, over loopback.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessageChunk, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import {
  APICallError,
  cosineSimilarity,
  embedMany,
  generateObject,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start } from "../../src/services/chat/index.js";
import { listen, type Host } from "../../src/services/host.js";
import type { LogLine } from "../../src/services/service.js";
import { contextOf, hashed, KEYS } from "../services/chat-support.js";

/** Returns a rule that fails with a status on request. */
const failing = (status: number, more: object = {}): object => ({
  when: { equals: `fail ${status}` },
  error: { status, message: `Failed with ${status}`, ...more },
});

/** Rule that succeeds at the third attempt. */
const busy = (way: string): object => ({
  when: { equals: `busy ${way}` },
  times: 2,
  error: { status: 429, message: "Busy", headers: { "retry-after-ms": "5" } },
});

const RULES = [
  failing(400, { param: "temperature" }),
  failing(403),
  failing(409),
  failing(422),
  failing(429, { type: "tokens", code: "insufficient_quota" }),
  failing(500),
  failing(503),
  busy("directly"),
  busy("through an upstream"),
  busy("through the second of two upstreams"),
  {
    when: { equals: "hopeless" },
    error: { status: 500, headers: { "x-should-retry": "false" } },
  },
  {
    when: { equals: "break" },
    answer: "one two",
    error: { after: 2, message: "Broken" },
  },
  { when: { equals: "slow" }, answer: "a b c d e f", chunkDelay: 30 },
  { when: { role: "tool" }, answer: "It is sunny." },
  {
    when: { contains: "weather" },
    toolCalls: [{ name: "get_weather", arguments: { city: "Paris" } }],
  },
  { when: { equals: "never" }, refusal: "No." },
  { answer: "Fine, thanks." },
];

const CONFIG = {
  keys: [
    ...KEYS,
    { name: "few", key: hashed("few"), models: ["script"] },
    { name: "poor", key: hashed("poor"), budgets: { tokensPerDay: 5 } },
    {
      name: "limited",
      key: hashed("limited"),
      limits: { requestsPerMinute: 1 },
    },
  ],
  models: {
    "test-model": "echo",
    script: { scripted: { rules: RULES } },
  },
};

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const lines: LogLine[] = [];
let host: Host;
let openai: OpenAI;
let origin: string;

/** The service as backend of itself: all checks hold through a proxy too. */
let front: Host;

/** The same after a failover: the first upstream is always down. */
let second: Host;

beforeAll(async () => {
  const log = (line: LogLine): void => void lines.push(line);
  host = await listen([await start(contextOf(CONFIG, log))], { log });
  process.env["CHAT_CONFORMANCE_KEY"] = "test-key";
  const upstream = (model: string): object => ({
    baseUrl: `${host.origin}/v1`,
    keyEnv: "CHAT_CONFORMANCE_KEY",
    model,
  });
  const proxy = async (modelOf: (name: string) => object): Promise<Host> => {
    const names = Object.keys(CONFIG.models);
    const models = Object.fromEntries(
      names.map((name) => [name, modelOf(name)]),
    );
    return listen([await start(contextOf({ ...CONFIG, models }))]);
  };
  front = await proxy((name) => ({ upstream: upstream(name) }));
  const breaker = { failures: 1_000_000 };
  second = await proxy((name) => ({
    upstreams: [
      { baseUrl: "http://127.0.0.1:1", weight: 1_000_000, breaker },
      { ...upstream(name), weight: 0, breaker },
    ],
  }));
});

afterAll(async () => {
  await second.close();
  await front.close();
  await host.close();
});

const user = (content: string) => [{ role: "user" as const, content }];

describe.each([
  "directly",
  "through an upstream",
  "through the second of two upstreams",
])("%s", (way) => {
  beforeAll(() => {
    const hosts = { directly: host, "through an upstream": front };
    origin = (hosts[way as keyof typeof hosts] ?? second).origin;
    openai = new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: "test-key",
      maxRetries: 0,
    });
  });

  describe("openai", () => {
    test("chat.completions.create returns a completion", async () => {
      const answer = await openai.chat.completions.create({
        model: "test-model",
        messages: user("Hello there"),
      });
      expect(answer.choices[0]?.message.content).toBe("Hello there");
      expect(answer.choices[0]?.finish_reason).toBe("stop");
      expect(answer.usage?.total_tokens).toBe(4);
      expect(answer.object).toBe("chat.completion");
      expect(answer._request_id).toMatch(/^req_/);
    });

    test("accepts content parts", async () => {
      const answer = await openai.chat.completions.create({
        model: "test-model",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "See" },
              {
                type: "image_url",
                image_url: { url: "data:image/png;base64,AA==" },
              },
            ],
          },
        ],
      });
      expect(answer.choices[0]?.message.content).toBe("See");
    });

    test("create with stream returns all chunks in order", async () => {
      const text = Array.from({ length: 200 }, (_, index) => index).join(" ");
      const stream = await openai.chat.completions.create({
        model: "test-model",
        messages: user(text),
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
      expect(
        chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""),
      ).toBe(text);
      expect(chunks.at(-1)?.usage?.completion_tokens).toBe(200);
      expect(chunks.at(-1)?.choices).toEqual([]);
      expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    });

    test("create with stream returns n choices", async () => {
      const stream = openai.chat.completions.stream({
        model: "test-model",
        messages: user("both of us"),
        n: 2,
      });
      const { choices } = await stream.finalChatCompletion();
      expect(choices.map(({ message }) => message.content)).toEqual([
        "both of us",
        "both of us",
      ]);
    });

    test(".stream() assembles the response", async () => {
      const stream = openai.chat.completions.stream({
        model: "test-model",
        messages: user("piece by piece"),
        stream_options: { include_usage: true },
      });
      const deltas: string[] = [];
      stream.on("content", (delta) => deltas.push(delta));
      const answer = await stream.finalChatCompletion();
      expect(answer.choices[0]?.message.content).toBe("piece by piece");
      expect(deltas.filter((one) => one !== "")).toEqual([
        "piece",
        " by",
        " piece",
      ]);
      expect((await stream.totalUsage()).total_tokens).toBe(6);
    });

    test(".stream() assembles tool calls", async () => {
      const stream = openai.chat.completions.stream({
        model: "script",
        messages: user("weather?"),
        tools: [
          {
            type: "function",
            function: { name: "get_weather", parameters: { type: "object" } },
          },
        ],
      });
      const { choices } = await stream.finalChatCompletion();
      expect(choices[0]?.finish_reason).toBe("tool_calls");
      expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
        type: "function",
        function: { name: "get_weather", arguments: '{"city":"Paris"}' },
      });
    });

    test(".runTools() calls a tool and continues", async () => {
      const asked: unknown[] = [];
      const runner = openai.chat.completions.runTools({
        model: "script",
        messages: user("weather?"),
        tools: [
          {
            type: "function",
            function: {
              name: "get_weather",
              description: "Tells the weather.",
              parameters: { type: "object", properties: {} },
              parse: JSON.parse,
              function: (args: object) => {
                asked.push(args);
                return "sun";
              },
            },
          },
        ],
      });
      expect(await runner.finalContent()).toBe("It is sunny.");
      expect(asked).toEqual([{ city: "Paris" }]);
    });

    test("returns a refusal", async () => {
      const stream = openai.chat.completions.stream({
        model: "script",
        messages: user("never"),
      });
      const { message } = (await stream.finalChatCompletion()).choices[0]!;
      expect(message.refusal).toBe("No.");
      expect(message.content).toBeNull();
    });

    test("models.list and models.retrieve", async () => {
      const ids: string[] = [];
      for await (const { id } of openai.models.list()) ids.push(id);
      expect(ids).toEqual(["test-model", "script"]);
      expect(await openai.models.retrieve("script")).toMatchObject({
        id: "script",
        object: "model",
        owned_by: "system",
      });
      await expect(openai.models.retrieve("a/b")).rejects.toBeInstanceOf(
        NotFoundError,
      );
    });

    test.each([
      [400, BadRequestError, "invalid_request_error", null, "temperature"],
      [409, ConflictError, "invalid_request_error", null, null],
      [422, UnprocessableEntityError, "invalid_request_error", null, null],
      [429, RateLimitError, "tokens", "insufficient_quota", null],
      [500, InternalServerError, "server_error", null, null],
      [503, InternalServerError, "server_error", null, null],
    ])("%i raises its class", async (status, type, kind, code, param) => {
      for (const stream of [false, true]) {
        const error = await openai.chat.completions
          .create({ model: "script", messages: user(`fail ${status}`), stream })
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(type);
        const { requestID, ...facts } = error as APIError;
        expect(requestID).toMatch(/^req_/);
        // Failures of the backend itself have no details behind a proxy.
        const isOwn = way === "directly" || status < 500;
        const expected = isOwn
          ? { status, type: kind, code, param }
          : { type: kind, code: "upstream_error", param };
        expect(facts).toMatchObject(expected);
        if (isOwn)
          expect((error as Error).message).toBe(
            `${status} Failed with ${status}`,
          );
      }
    });

    test("401, 403, 404 and a bad body raise their classes", async () => {
      const body = { model: "test-model", messages: user("a") };
      const create = (client: OpenAI, more: object = {}) =>
        client.chat.completions
          .create({ ...body, ...more })
          .catch((thrown: unknown) => thrown);
      const wrong = openai.withOptions({ apiKey: "sk-wrong-key" });
      const denied = await create(wrong);
      expect(denied).toBeInstanceOf(AuthenticationError);
      expect(denied).toMatchObject({ code: "invalid_api_key" });
      expect((denied as Error).message).not.toContain("sk-wrong-key");
      const few = openai.withOptions({ apiKey: "few" });
      expect(await create(few)).toBeInstanceOf(PermissionDeniedError);
      const unknown = await create(openai, { model: "gpt-none" });
      expect(unknown).toBeInstanceOf(NotFoundError);
      expect(unknown).toMatchObject({
        code: "model_not_found",
        param: "model",
      });
      const bad = await create(openai, { messages: [] });
      expect(bad).toBeInstanceOf(BadRequestError);
      expect(bad).toMatchObject({ param: "messages" });
    });

    test("other routes are a NotFoundError", async () => {
      await expect(
        openai.responses.create({ model: "test-model", input: "a" }),
      ).rejects.toBeInstanceOf(NotFoundError);
      await expect(
        openai.moderations.create({ input: "a" }),
      ).rejects.toBeInstanceOf(NotFoundError);
    });

    test("embeddings.create returns vectors, which the client decodes", async () => {
      const input = ["the cat sat", "a cat sat", "quarterly revenue"];
      const create = async (more: object): Promise<number[][]> => {
        const { data, usage, model } = await openai.embeddings.create({
          model: "test-model",
          input,
          ...more,
        });
        expect(usage).toEqual({ prompt_tokens: 8, total_tokens: 8 });
        expect(model).toBe("test-model");
        return data.map(({ embedding }) => embedding);
      };
      // Without encoding_format, the client requests base64.
      const decoded = await create({});
      expect(decoded.map((vector) => vector.length)).toEqual([256, 256, 256]);
      expect(await create({ encoding_format: "float" })).toEqual(decoded);
      const small = await create({ dimensions: 16 });
      expect(small[2]).toHaveLength(16);
      const error = await openai.embeddings
        .create({ model: "script", input })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "model_not_supported" });
      expect(error).toBeInstanceOf(BadRequestError);
    });

    test("another method is an APIError", async () => {
      const error = await openai
        .get("/chat/completions")
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(APIError);
      expect(error).toMatchObject({
        status: 405,
        type: "invalid_request_error",
      });
      expect((error as APIError).headers?.get("allow")).toBe("POST");
    });

    test("a stream that fails raises APIError", async () => {
      const stream = await openai.chat.completions.create({
        model: "script",
        messages: user("break"),
        stream: true,
      });
      let text = "";
      const read = async (): Promise<void> => {
        for await (const { choices } of stream)
          text += choices[0]?.delta.content ?? "";
      };
      const error = await read().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(APIError);
      expect(error).toMatchObject({ error: { message: "Broken" } });
      expect(text).toBe("one");
    });

    test("break and abort end the stream", async () => {
      const body = {
        model: "script",
        messages: user("slow"),
        stream: true,
      } as const;
      for await (const chunk of await openai.chat.completions.create(body)) {
        expect(chunk.choices[0]?.delta.role).toBe("assistant");
        break;
      }
      const before = lines.length;
      const leave = new AbortController();
      const stream = openai.chat.completions.stream(
        { model: "script", messages: user("slow") },
        { signal: leave.signal },
      );
      stream.on("chunk", () => leave.abort());
      await expect(stream.done()).rejects.toBeInstanceOf(APIUserAbortError);
      await expect
        .poll(() =>
          lines
            .slice(before)
            .some(
              ({ event, isWhole }) => event === "stream" && isWhole === false,
            ),
        )
        .toBe(true);
    });

    test("retries after the delay of retry-after-ms", async () => {
      const asked = lines.filter(({ status }) => status === 429).length;
      const retrying = openai.withOptions({ maxRetries: 4 });
      const answer = await retrying.chat.completions.create({
        model: "script",
        messages: user(`busy ${way}`),
      });
      expect(answer.choices[0]?.message.content).toBe("Fine, thanks.");
      const refused =
        lines.filter(({ status }) => status === 429).length - asked;
      expect(refused).toBe(2);
    });

    test("x-should-retry: false is obeyed", async () => {
      const count = (): number =>
        lines.filter(
          ({ event, status }) => event === "request" && status === 500,
        ).length;
      const before = count();
      await expect(
        openai.withOptions({ maxRetries: 2 }).chat.completions.create({
          model: "script",
          messages: user("hopeless"),
        }),
      ).rejects.toBeInstanceOf(InternalServerError);
      expect(count() - before).toBe(1);
    });

    test("a key's limit raises RateLimitError with its headers", async () => {
      const limited = openai.withOptions({ apiKey: "limited" });
      const body = { model: "test-model", messages: user("a") };
      const { response } = await limited.chat.completions
        .create(body)
        .withResponse();
      expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0");
      const error = await limited.chat.completions
        .create(body)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RateLimitError);
      const { headers, code, type } = error as RateLimitError;
      expect({ code, type }).toEqual({
        code: "rate_limit_exceeded",
        type: "requests",
      });
      expect(Number(headers?.get("retry-after"))).toBeGreaterThan(0);
    });

    test("a budget raises RateLimitError, which is not retried", async () => {
      const poor = openai.withOptions({ apiKey: "poor", maxRetries: 2 });
      const create = (stream: boolean): Promise<unknown> =>
        poor.chat.completions.create({
          model: "test-model",
          messages: user("one two three"),
          stream,
        });
      const count = lines.length;
      await create(false);
      for (const stream of [false, true]) {
        const error = await create(stream).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(RateLimitError);
        expect(error).toMatchObject({
          code: "insufficient_quota",
          type: "insufficient_quota",
          message: expect.stringContaining("tokens left") as string,
        });
      }
      if (way === "directly")
        expect(
          lines.slice(count).filter(({ event }) => event === "request"),
        ).toHaveLength(3);
    });
  });

  describe("AI SDK", () => {
    const provider = (apiKey = "test-key") =>
      createOpenAICompatible({
        name: "here",
        baseURL: `${origin}/v1`,
        apiKey,
        includeUsage: true,
      });

    test("generateText returns a text", async () => {
      const { text, usage, finishReason, response } = await generateText({
        model: provider()("test-model"),
        system: "Be kind.",
        prompt: "Hello there",
        maxOutputTokens: 10,
        temperature: 0,
      });
      expect(text).toBe("Hello there");
      expect(finishReason).toBe("stop");
      expect(usage.inputTokens).toBe(4);
      expect(usage.outputTokens).toBe(2);
      expect(response.modelId).toBe("test-model");
    });

    test("streamText returns all chunks and the usage", async () => {
      const result = streamText({
        model: provider()("test-model"),
        prompt: "piece by piece",
      });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      expect(pieces.join("")).toBe("piece by piece");
      expect(pieces.length).toBeGreaterThan(1);
      expect(await result.finishReason).toBe("stop");
      expect((await result.usage).outputTokens).toBe(3);
    });

    test("calls tools with and without streaming", async () => {
      const settings = () => ({
        model: provider()("script"),
        prompt: "weather?",
        stopWhen: stepCountIs(3),
        tools: {
          get_weather: tool({
            description: "Tells the weather.",
            inputSchema: jsonSchema<{ city: string }>({
              type: "object",
              properties: { city: { type: "string" } },
            }),
            execute: async ({ city }) => `sun in ${city}`,
          }),
        },
      });
      const plain = await generateText(settings());
      expect(plain.text).toBe("It is sunny.");
      expect(plain.steps[0]?.toolResults[0]?.output).toBe("sun in Paris");
      const streamed = streamText(settings());
      await streamed.consumeStream();
      expect(await streamed.text).toBe("It is sunny.");
    });

    test("generateObject parses the echoed object", async () => {
      const { object } = await generateObject({
        model: provider()("test-model"),
        schema: jsonSchema<{ a: number }>({ type: "object" }),
        prompt: '{"a":1}',
      });
      expect(object).toEqual({ a: 1 });
    });

    test("embedMany returns vectors", async () => {
      const { embeddings, usage } = await embedMany({
        model: provider().embeddingModel("test-model"),
        values: ["the cat sat", "a cat sat", "quarterly revenue"],
      });
      expect(usage.tokens).toBe(8);
      const [cat, other, revenue] = embeddings;
      expect(cosineSimilarity(cat!, other!)).toBeGreaterThan(
        cosineSimilarity(cat!, revenue!),
      );
    });

    test("errors have the message of the service", async () => {
      const error = await generateText({
        model: provider("wrong")("test-model"),
        prompt: "a",
        maxRetries: 0,
      }).catch((thrown: unknown) => thrown);
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        statusCode: 401,
        isRetryable: false,
        message: "Incorrect API key provided.",
      });
    });

    test("a stream that fails is an error part", async () => {
      const result = streamText({
        model: provider()("script"),
        prompt: "break",
        onError: () => {},
      });
      const kinds: string[] = [];
      for await (const { type } of result.fullStream) kinds.push(type);
      expect(kinds).toContain("error");
    });
  });

  describe("LangChain", () => {
    const model = (name: string, apiKey = "test-key") =>
      new ChatOpenAI({
        model: name,
        apiKey,
        maxRetries: 0,
        configuration: { baseURL: `${origin}/v1` },
      });

    test("invoke returns a message with its usage", async () => {
      const message = await model("test-model").invoke("Hello there");
      expect(message.text).toBe("Hello there");
      expect(message.usage_metadata).toMatchObject({
        input_tokens: 2,
        output_tokens: 2,
      });
      expect(message.response_metadata["finish_reason"]).toBe("stop");
    });

    test("stream returns all chunks and the usage", async () => {
      let whole: AIMessageChunk | undefined;
      let count = 0;
      for await (const chunk of await model("test-model").stream(
        "piece by piece",
      )) {
        whole = whole === undefined ? chunk : whole.concat(chunk);
        if (chunk.text !== "") count++;
      }
      expect(whole?.text).toBe("piece by piece");
      expect(count).toBeGreaterThan(1);
      expect(whole?.usage_metadata).toMatchObject({ output_tokens: 3 });
    });

    test("calls tools with and without streaming", async () => {
      const weather = {
        type: "function",
        function: {
          name: "get_weather",
          description: "Tells the weather.",
          parameters: {
            type: "object",
            properties: { city: { type: "string" } },
          },
        },
      };
      const bound = model("script").bindTools([weather]);
      const plain = await bound.invoke("weather?");
      const [call] = plain.tool_calls ?? [];
      expect(call).toMatchObject({
        name: "get_weather",
        args: { city: "Paris" },
      });
      const last = await bound.invoke([
        { role: "user", content: "weather?" },
        plain,
        new ToolMessage({ content: "sun in Paris", tool_call_id: call!.id! }),
      ]);
      expect(last.text).toBe("It is sunny.");
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream("weather?"))
        whole = whole === undefined ? chunk : whole.concat(chunk);
      expect(whole?.tool_calls?.[0]?.args).toEqual({ city: "Paris" });
    });

    test("embedDocuments returns vectors", async () => {
      const embeddings = new OpenAIEmbeddings({
        model: "test-model",
        apiKey: "test-key",
        configuration: { baseURL: `${origin}/v1` },
      });
      const [cat, other, revenue] = await embeddings.embedDocuments([
        "the cat sat",
        "a cat sat",
        "quarterly revenue",
      ]);
      expect(cosineSimilarity(cat!, other!)).toBeGreaterThan(
        cosineSimilarity(cat!, revenue!),
      );
    });

    test("errors have the status and message of the service", async () => {
      const error: unknown = await model("test-model", "wrong")
        .invoke("a")
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 401 });
      expect(String(error)).toContain("Incorrect API key provided.");
    });

    test("a stream that fails throws", async () => {
      const read = async (): Promise<void> => {
        for await (const _ of await model("script").stream("break"));
      };
      await expect(read()).rejects.toThrow();
    });
  });
});

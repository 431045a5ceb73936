import type http from "node:http";
import { expect, test } from "vitest";
import { createChat } from "../../generated/chat/v1/index.js";
import { validateEmbeddingResponse } from "../../generated/chat/v1/validators.js";
import {
  backEnd,
  bodyOf,
  hashed,
  KEYS,
  serve,
  type Running,
} from "./chat-support.js";

const ECHO = { keys: KEYS, models: { "test-model": "echo" } };

/** Posts a request for embeddings. */
function embed(
  { origin }: Pick<Running, "origin">,
  body: object,
  key = "test-key",
): Promise<Response> {
  return fetch(`${origin}/v1/embeddings`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model: "test-model", ...body }),
  });
}

interface Result {
  readonly data: readonly { index: number; embedding: number[] }[];
  readonly usage: object;
}

async function vectorsOf(
  running: Running,
  body: object,
): Promise<readonly number[][]> {
  const response = await embed(running, body);
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as Result;
  return data.map(({ embedding }) => embedding);
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, element, at) => sum + element * b[at]!, 0);

test("embeddings of the echo are unit vectors that depend on the words", async () => {
  const running = await serve(ECHO);
  const input = [
    "the cat sat on the mat",
    "The cat sat on the mat",
    "a cat sat on a mat",
    "quarterly revenue of the company",
    "\u{1f600}",
    "   ",
  ];
  const vectors = await vectorsOf(running, { input });
  for (const vector of vectors) {
    expect(vector).toHaveLength(256);
    expect(product(vector, vector)).toBeCloseTo(1, 5);
  }
  expect(vectors[0]).toEqual(vectors[1]);
  const similarity = product(vectors[0]!, vectors[2]!);
  expect(similarity).toBeGreaterThan(product(vectors[0]!, vectors[3]!));
  expect(await vectorsOf(running, { input: input[0] })).toEqual([vectors[0]]);
});

test("have the requested form and size, and the tokens of all texts", async () => {
  const running = await serve(ECHO);
  const response = await embed(running, {
    input: ["one two", "three"],
    dimensions: 8,
    encoding_format: "base64",
    user: "u",
    unknown: true,
  });
  const text = await response.text();
  expect(validateEmbeddingResponse(JSON.parse(text)).valid).toBe(true);
  const { data, usage, ...rest } = JSON.parse(text) as {
    data: { object: string; index: number; embedding: string }[];
    usage: object;
  };
  expect(rest).toEqual({ object: "list", model: "test-model" });
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  expect(data.map(({ object, index }) => [object, index])).toEqual([
    ["embedding", 0],
    ["embedding", 1],
  ]);
  const floats = await vectorsOf(running, {
    input: ["one two", "three"],
    dimensions: 8,
    encoding_format: null,
  });
  for (const [at, { embedding }] of data.entries()) {
    const bytes = Buffer.from(embedding, "base64");
    const read = Array.from({ length: 8 }, (_, k) => bytes.readFloatLE(4 * k));
    expect(read).toEqual(floats[at]);
  }
});

test("accept token ids", async () => {
  const running = await serve(ECHO);
  const one = await embed(running, { input: [1, 2, 3] });
  const { data, usage } = (await one.json()) as Result;
  expect(data).toHaveLength(1);
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  const two = await vectorsOf(running, { input: [[1, 2, 3], [4]] });
  expect(two[0]).toEqual(data[0]!.embedding);
  expect(two).toHaveLength(2);
});

test.each([
  [{}, "input"],
  [{ input: "" }, "input"],
  [{ input: [] }, "input"],
  [{ input: ["a", ""] }, "input"],
  [{ input: [[]] }, "input"],
  [{ input: 5 }, "input"],
  [{ input: [1, "a"] }, "input"],
  [{ input: ["a", 1] }, "input"],
  [{ input: [1.5] }, "input"],
  [{ input: Array(2049).fill("a") }, "input"],
  [{ input: "a ".repeat(131_073) }, "input"],
  [{ input: "a", encoding_format: "hex" }, "encoding_format"],
  [{ input: "a", dimensions: 0 }, "dimensions"],
  [{ input: "a", dimensions: 2_000_000 }, "dimensions"],
])("%.50j is 400", async (body, param) => {
  const response = await embed(await serve(ECHO), body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { param: string } };
  expect(error.param.startsWith(param)).toBe(true);
});

test("a model without embeddings, an unknown one, and a key without rights are errors", async () => {
  const running = await serve({
    keys: [
      ...KEYS,
      { name: "few", key: hashed("few"), models: ["script"] },
      { name: "slow", key: hashed("slow"), limits: { requestsPerMinute: 1 } },
    ],
    models: {
      "test-model": "echo",
      script: { scripted: { rules: [{ answer: "a" }] } },
    },
  });
  const codeOf = async (body: object, key?: string): Promise<unknown> => {
    const response = await embed(running, { input: "a", ...body }, key);
    const { error } = (await response.json()) as { error?: { code: string } };
    return [response.status, error?.code];
  };
  expect(await codeOf({ model: "script" })).toEqual([
    400,
    "model_not_supported",
  ]);
  expect(await codeOf({ model: "x" })).toEqual([404, "model_not_found"]);
  expect(await codeOf({}, "few")).toEqual([403, "model_not_allowed"]);
  expect(await codeOf({}, "slow")).toEqual([200, undefined]);
  expect(await codeOf({}, "slow")).toEqual([429, "rate_limit_exceeded"]);
});

test("of an upstream are forwarded unchanged, except for the name of the model", async () => {
  const bodies: string[] = [];
  const respond: http.RequestListener = (request, response) => {
    void bodyOf(request).then((text) => {
      bodies.push(`${request.url} ${text}`);
      const isBroken = text.includes("broken");
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          object: "list",
          ...(isBroken ? {} : { data: [{ index: 0, embedding: "AAAA" }] }),
          model: "big",
          usage: { prompt_tokens: 5, total_tokens: 5 },
          extra: 1,
        }),
      );
    });
  };
  const baseUrl = await backEnd(respond);
  const running = await serve({
    keys: KEYS,
    models: { "test-model": { upstream: { baseUrl, model: "big" } } },
  });
  const response = await embed(running, { input: "a", x: null });
  expect(await response.json()).toEqual({
    object: "list",
    data: [{ index: 0, embedding: "AAAA" }],
    model: "test-model",
    usage: { prompt_tokens: 5, total_tokens: 5 },
    extra: 1,
  });
  expect(bodies).toEqual([
    '/base/v1/embeddings {"model":"big","input":"a","x":null}',
  ]);
  expect((await embed(running, { input: "broken" })).status).toBe(502);
  expect(running.lines[0]).toMatchObject({
    method: "chat.embeddings.create",
    promptTokens: 5,
    completionTokens: 0,
    isEstimated: false,
  });
});

test("are returned to the generated client", async () => {
  const { origin } = await serve(ECHO);
  const chat = createChat({ rootUrl: `${origin}/`, auth: "test-key" });
  const { data, usage } = await chat.embeddings.create({
    requestBody: { model: "test-model", input: ["a", "b"], dimensions: 4 },
  });
  expect(data.map(({ embedding }) => (embedding as number[]).length)).toEqual([
    4, 4,
  ]);
  expect(usage.total_tokens).toBe(2);
});

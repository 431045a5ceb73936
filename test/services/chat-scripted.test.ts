import { expect, test } from "vitest";
import { ask, dataOf, KEYS, post, serve } from "./chat-support.js";

const RULES = [
  { when: { role: "tool" }, answer: "It is sunny." },
  {
    when: { contains: "weather" },
    toolCalls: [
      { name: "get_weather", arguments: { city: "Paris" } },
      { name: "get_time", arguments: "{bad" },
    ],
  },
  { when: { equals: "secret" }, refusal: "I can't say." },
  {
    when: { equals: "busy" },
    times: 2,
    error: {
      status: 503,
      message: "Busy",
      type: "server_error",
      code: "busy",
      param: "model",
      headers: { "retry-after-ms": 1 },
    },
  },
  { when: { equals: "busy" }, answer: "Free now." },
  {
    when: { equals: "break" },
    answer: "one two",
    error: { message: "Broken", after: 2 },
  },
  { when: { pattern: "(a+)+$" }, answer: "Only a." },
  {
    when: { equals: "filtered" },
    answer: "Bad",
    finishReason: "content_filter",
  },
];
const CONFIG = {
  keys: KEYS,
  models: { "test-model": { scripted: { rules: RULES } } },
};

interface Answer {
  choices: { message: object; finish_reason: string }[];
  error: object;
}

async function answer(origin: string, body: unknown): Promise<Answer> {
  return (await (await post(origin, body)).json()) as Answer;
}

test("returns tool calls and responds to their results", async () => {
  const { origin } = await serve(CONFIG);
  const { choices } = await answer(origin, ask("the weather?"));
  const calls = [
    ["get_weather", '{"city":"Paris"}'],
    ["get_time", "{bad"],
  ].map(([name, text]) => ({
    id: expect.stringMatching(/^call_/),
    type: "function",
    function: { name, arguments: text },
  }));
  expect(choices[0]).toMatchObject({
    message: { role: "assistant", content: null, tool_calls: calls },
    finish_reason: "tool_calls",
  });
  const after = await answer(origin, {
    model: "test-model",
    messages: [
      { role: "user", content: "the weather?" },
      choices[0]!.message,
      { role: "tool", tool_call_id: "1", content: "sun" },
    ],
  });
  expect(after.choices[0]).toMatchObject({
    message: { content: "It is sunny." },
  });
});

test("streams tool calls in parts", async () => {
  const { origin } = await serve(CONFIG);
  const body = ask("weather", { stream: true });
  const data = dataOf(await (await post(origin, body)).text()).slice(0, -1);
  const choices = data.map(
    (text) => (JSON.parse(text) as { choices: [{ delta: object }] }).choices[0],
  );
  expect(choices.map(({ delta }) => delta)).toMatchObject([
    { role: "assistant", content: null },
    {
      tool_calls: [
        {
          index: 0,
          type: "function",
          function: { name: "get_weather", arguments: "" },
        },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"city":"Paris"}' } }] },
    { tool_calls: [{ index: 1, function: { name: "get_time" } }] },
    { tool_calls: [{ index: 1, function: { arguments: "{bad" } }] },
    {},
  ]);
  expect(choices.at(-1)).toMatchObject({ finish_reason: "tool_calls" });
});

test("returns errors as often as the script specifies", async () => {
  const { origin } = await serve(CONFIG);
  for (let count = 0; count < 2; count++) {
    const response = await post(origin, ask("busy"));
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after-ms")).toBe("1");
    expect(await response.json()).toEqual({
      error: {
        message: "Busy",
        type: "server_error",
        param: "model",
        code: "busy",
      },
    });
  }
  expect((await answer(origin, ask("busy"))).choices[0]).toMatchObject({
    message: { content: "Free now." },
  });
});

test("ends a stream with an error", async () => {
  const { origin } = await serve(CONFIG);
  const response = await post(origin, ask("break", { stream: true }));
  expect(response.status).toBe(200);
  const data = dataOf(await response.text());
  expect(data).toHaveLength(3);
  expect(JSON.parse(data[2]!)).toEqual({
    error: { message: "Broken", type: "server_error", param: null, code: null },
  });
});

test("supports refusals, finish reasons and patterns", async () => {
  const { origin } = await serve(CONFIG);
  const said = async (text: string) =>
    (await answer(origin, ask(text))).choices[0];
  expect(await said("secret")).toMatchObject({
    message: { content: null, refusal: "I can't say." },
    finish_reason: "stop",
  });
  expect(await said("filtered")).toMatchObject({
    finish_reason: "content_filter",
  });
  expect(await said("aaa")).toMatchObject({ message: { content: "Only a." } });
  // A backtracking engine would not terminate on this pattern.
  const response = await post(origin, ask(`${"a".repeat(5000)}!`));
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { type: "invalid_request_error" },
  });
});

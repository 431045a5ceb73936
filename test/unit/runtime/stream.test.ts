import { describe, expect, it } from "vitest";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import {
  eachElement,
  eachEvent,
  events,
  jsonArray,
  type StreamCall,
} from "../../../src/runtime/client/stream.js";
import { client, failure, json, make, recorder } from "./helpers.js";

type Any = StreamCall<any, any>;
const plain = make<Any>({ use: [events()] });
const chat = make<Any>({
  httpMethod: "POST",
  path: "chat",
  body: jsonBody,
  use: [events({ when: { stream: true }, end: "[DONE]" })],
});
const rows = make<Any>({ use: [jsonArray()] });

/** Returns a response whose body has chunks of this size. */
function inPieces(text: string, size: number, type: string): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

async function listen(call: Any): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of call) found.push(item);
  return found;
}

const sizes = [1, 2, 3, 5, 1000];

describe("server-sent events", () => {
  const text =
    '\uFEFF: comment\n\nevent: x\nid: 1\ndata: {"a":"é€😀"}\n\ndata:[1,\r\ndata:2]\r\n\r\ndata: 3\r\rdata\n\ndata: "last"\n\ndata: [DONE]\n\ndata: 9\n\n';

  it.each(sizes)("in chunks of %i bytes", async (size) => {
    const { sent, fetch } = recorder(inPieces(text, size, "text/event-stream"));
    const found = await listen(chat(client(fetch), { requestBody: { q: 1 } }));
    expect(found).toEqual([{ a: "é€😀" }, [1, 2], 3, "last"]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.init.body).toBe('{"q":1,"stream":true}');
  });

  it("may end without an empty line and without events", async () => {
    for (const [text, found] of [
      ["data: 1\n\ndata: 2", [1, 2]],
      ["data: 1\r", [1]],
      ["", []],
      [":\n\n", []],
    ] as const) {
      const { fetch } = recorder(inPieces(text, 2, "text/event-stream"));
      expect(await listen(plain(client(fetch)))).toEqual(found);
    }
  });

  it.each([
    ['data: {"error":{"message":"m","code":"c"}}\n\n', { kind: "http" }],
    ["data: {\n\n", { kind: "decode", body: "{" }],
  ])("rejects for %j", async (text, facts) => {
    const { fetch } = recorder(inPieces("data: 1\n\n" + text, 9, "x"));
    expect(await failure(listen(chat(client(fetch))))).toMatchObject(facts);
  });

  it("rejects with the error of the API", async () => {
    const { fetch } = recorder(
      json({ error: { message: "m" } }, { status: 400 }),
    );
    expect(await failure(listen(chat(client(fetch))))).toMatchObject({
      kind: "http",
      status: 400,
    });
  });
});

describe("a JSON array", () => {
  const value = [{ a: [1, ']}é\\"'] }, 2, "x,y", [], null, [[{}]]];
  const text = JSON.stringify(value, null, 1).replaceAll("\n", "\r\n");

  it.each(sizes)("in chunks of %i bytes", async (size) => {
    const { fetch } = recorder(inPieces(text, size, "application/json"));
    expect(await listen(rows(client(fetch)))).toEqual(value);
  });

  it.each([
    ["[]", []],
    [" [ ] \n", []],
    ["", []],
    ['{"a":[1,2]}', [{ a: [1, 2] }]],
  ])("like %j", async (text, found) => {
    const { fetch } = recorder(inPieces(text, 2, "application/json"));
    expect(await listen(rows(client(fetch)))).toEqual(found);
  });

  it.each([
    ['[{"a":1},{"b"', { kind: "network" }],
    ["[1,", { kind: "network" }],
    [
      '[{"error":{"code":5,"status":"NOT_FOUND"}}]',
      { serverCode: "NOT_FOUND" },
    ],
    ["[x]", { kind: "decode" }],
  ])("rejects for %j", async (text, facts) => {
    const { fetch } = recorder(inPieces(text, 3, "application/json"));
    expect(await failure(listen(rows(client(fetch))))).toMatchObject(facts);
  });
});

it("leaving the loop ends the request; a signal ends the loop", async () => {
  let signal: AbortSignal | undefined;
  const endless = client(async (_, init) => {
    signal = init.signal!;
    return new Response(
      new ReadableStream({
        pull: (controller) =>
          controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      }),
    );
  });
  for await (const item of chat(endless)) {
    expect(item).toBe(1);
    break;
  }
  expect(signal?.aborted).toBe(true);
  const controller = new AbortController();
  const hangs = client(async (_, init) => {
    const body = new ReadableStream({
      start(stream) {
        init.signal!.addEventListener("abort", () =>
          stream.error(init.signal!.reason),
        );
      },
    });
    return new Response(body);
  });
  const error = failure(listen(chat(hangs, {}, { signal: controller.signal })));
  setTimeout(() => controller.abort("enough"), 5);
  expect(await error).toMatchObject({ kind: "abort", cause: "enough" });
});

describe("streams that the description does not declare", () => {
  const run = make({ httpMethod: "POST", path: "run", body: jsonBody });

  it("eachElement", async () => {
    const fetch = async () => new Response('[{"a":1},\n{"a":2}]');
    const seen: unknown[] = [];
    for await (const one of eachElement(run(client(fetch)))) seen.push(one);
    expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("eachEvent requests events", async () => {
    const { sent, fetch } = recorder(new Response("data: 1\n\ndata: 2\n\n"));
    const rules = { parameters: { alt: "sse" }, when: { stream: true } };
    const call = run(client(fetch), { requestBody: { q: 1 } });
    const seen: unknown[] = [];
    for await (const one of eachEvent(call, rules)) seen.push(one);
    expect(seen).toEqual([1, 2]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      target: "/drive/v3/run?alt=sse",
      init: { body: '{"q":1,"stream":true}' },
    });
  });

  it("throw the error of the request when they are read", async () => {
    const call = run(client(async () => json({}, { status: 404 })));
    const iterator = eachElement(call)[Symbol.asyncIterator]();
    expect(await failure(iterator.next())).toMatchObject({ status: 404 });
  });
});

it("a stream without its last event is incomplete", async () => {
  const chat = make<StreamCall<unknown, unknown>>({
    use: [events({ end: "[DONE]" })],
  });
  const fetch = async () => new Response('data: {"a":1}\n\n');
  const iterator = chat(client(fetch))[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: { a: 1 } });
  expect(await failure(iterator.next())).toMatchObject({ kind: "network" });
});

import { describe, expect, it } from "vitest";
import { batch, batchSettled } from "../../../src/runtime/client/batch.js";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import type { ClientOptions } from "../../../src/runtime/client/options.js";
import { client, failure, fullClient, json, later, make } from "./helpers.js";

const get = make({ id: "drive.files.get", path: "files/{id}" });
const create = make({
  id: "c",
  httpMethod: "POST",
  path: "files",
  body: jsonBody,
});

interface Options {
  /** Order of the responses. */
  readonly order?: (ids: string[]) => string[];
  /** Returns the response to a path. */
  readonly answer?: (path: string, body: string) => string;
  readonly id?: (id: string) => string;
  readonly line?: string;
}

/** Batch server that records the batch requests. */
function server({
  order = (ids) => ids,
  answer = (path) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"path":"${path}"}`,
  id = (id) => `<response-${id}>`,
  line = "\r\n",
}: Options = {}) {
  const sent: { url: string; headers: Headers; parts: string[] }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const boundary = headers.get("content-type")!.split("boundary=")[1];
    const parts = String(init.body).split(`--${boundary}`).slice(1, -1);
    sent.push({ url, headers, parts });
    const replies = new Map<string, string>();
    for (const part of parts) {
      const [, at = ""] = /Content-ID: <(.*)>/.exec(part) ?? [];
      const [, path = ""] = /\r\n[A-Z]+ (\S+) HTTP\/1.1/.exec(part) ?? [];
      const own = part.split("\r\n\r\n")[2]!.trim();
      replies.set(at, answer(path, own));
    }
    const texts = order([...replies.keys()]).map((at) =>
      [
        "--b",
        "Content-Type: application/http",
        ...(id(at) ? [`Content-ID: ${id(at)}`] : []),
        "",
        replies.get(at)!,
      ].join(line),
    );
    return new Response([...texts, "--b--"].join(line), {
      headers: { "content-type": 'multipart/mixed; boundary="b"' },
    });
  };
  const make = (options: ClientOptions = {}) =>
    client(fetch, { auth: "t", ...options }, { batchPath: "batch/drive/v3" });
  return { sent, api: make(), make };
}

it("sends calls in one request and resolves each to its value", async () => {
  const { sent, api } = server();
  const values = await batch(api, [
    get(api, { id: "a", x: "é" }),
    create(api, { requestBody: { n: "é" } }, { headers: { "x-own": "1" } }),
  ]);
  await later(5);
  expect(values).toEqual([
    { path: "/drive/v3/files/a?x=%C3%A9" },
    { path: "/drive/v3/files" },
  ]);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.url).toBe("https://api.example.com/batch/drive/v3");
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer t");
  expect(sent[0]?.parts[1]).toMatch(
    /^\r\nContent-Type: application\/http\r\nContent-ID: <\w+ \+ 1>\r\n\r\nPOST \/drive\/v3\/files HTTP\/1\.1\r\ncontent-type: application\/json\r\nx-own: 1\r\ncontent-length: 10\r\n\r\n\{"n":"é"\}\r\n$/,
  );
});

it.each<[string, Options]>([
  ["responses in another order", { order: (ids) => ids.reverse() }],
  ["responses without ids", { id: () => "" }],
  ["bare line ends", { line: "\n" }],
  ["encoded ids", { id: (id) => `<response-${id.replace("+", "%2B")}>` }],
  ["ids without spaces", { id: (id) => `response-${id.replace(/ /g, "")}` }],
])("understands %s", async (_, options) => {
  const { api } = server(options);
  const ids = ["a", "b", "c"];
  const values = await batch(
    api,
    ids.map((id) => get(api, { id })),
  );
  expect(values).toEqual(ids.map((id) => ({ path: `/drive/v3/files/${id}` })));
});

describe("errors", () => {
  const answer = (path: string) =>
    path.endsWith("b")
      ? 'HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\n\r\n{"error":{"message":"no b"}}'
      : "HTTP/1.1 204 No Content\r\n\r\n";

  it("reject batch() and are results of batchSettled()", async () => {
    const { api } = server({ answer });
    const calls = () => [get(api, { id: "a" }), get(api, { id: "b" })];
    expect(await failure(batch(api, calls()))).toMatchObject({
      kind: "http",
      status: 404,
      methodId: "drive.files.get",
      url: "https://api.example.com/drive/v3/files/b",
    });
    expect(await batchSettled(api, calls())).toMatchObject([
      { status: "fulfilled", value: undefined },
      { status: "rejected", reason: { status: 404 } },
    ]);
  });

  it("of one call before sending do not affect the others", async () => {
    const { sent, api } = server();
    const results = await batchSettled(api, [
      get(api, {}),
      get(api, { id: "a" }),
      create(api, { media: { body: "x" } }),
      get(server().api, { id: "of another client" }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(sent[0]?.parts).toHaveLength(1);
  });

  it("of the request are errors of all calls", async () => {
    const api = client(async () => json({}, { status: 400 }));
    const calls = [get(api, { id: 1 }), get(api, { id: 2 })];
    const results = await batchSettled(api, calls);
    const reason = { kind: "http", status: 400, methodId: "batch" };
    expect(results).toMatchObject([{ reason }, { reason }]);
  });

  it.each([
    ["no boundary", "text/html", "<p>"],
    ["no end", "multipart/mixed; boundary=b", "--b\r\n\r\nHTTP/1.1 200 OK"],
    ["no response", "multipart/mixed; boundary=b", "--b\r\n\r\nx\r\n--b--"],
    ["no part", "multipart/mixed; boundary=b", "--b--"],
  ])("for an answer with %s", async (_, type, text) => {
    const api = client(
      async () => new Response(text, { headers: { "content-type": type } }),
    );
    const call = batch(api, [get(api, { id: 1 })]);
    expect(await failure(call)).toMatchObject({ name: "ApiError" });
  });
});

it.each([
  [undefined, undefined, [100, 100, 1]],
  [undefined, 50, [50, 50, 50, 50, 1]],
  [150, 50, [150, 51]],
])(
  "splits (size %s, of the service %s) in order",
  async (size, own, counts) => {
    const { sent, make } = server();
    const api = make();
    Object.assign(api.service, { batchSize: own });
    const calls = Array.from({ length: 201 }, (_, id) => get(api, { id }));
    const values = await batch(api, calls, { size });
    expect(sent.map(({ parts }) => parts.length)).toEqual(counts);
    expect(values[200]).toEqual({ path: "/drive/v3/files/200" });
    expect(await batch(api, [])).toEqual([]);
  },
);

it("sends requests one after the other, also after a failure", async () => {
  let open = 0;
  let most = 0;
  const api = client(async () => {
    most = Math.max(most, ++open);
    await later(1);
    open--;
    return json({}, { status: 400 });
  });
  const calls = [1, 2, 3].map((id) => get(api, { id }));
  const results = await batchSettled(api, calls, { size: 1 });
  expect(most).toBe(1);
  expect(results.map(({ status }) => status)).toEqual(
    Array(3).fill("rejected"),
  );
});

it("rejects the calls for a size below 1", async () => {
  const { api } = server();
  const call = make()(api);
  const sent = batch(api, [call], { size: 0 });
  await expect(sent).rejects.toThrow("size must be at least 1");
  await expect(call).rejects.toThrow("size must be at least 1");
});

it("exposes status and headers of each part", async () => {
  const answer = () => "HTTP/1.1 201 Created\r\nx-a: 1\r\n\r\n";
  const { api } = server({ answer });
  const call = get(api, { id: 1 });
  await batch(api, [call]);
  const { response } = await call.withResponse();
  expect([response.status, response.headers.get("x-a")]).toEqual([201, "1"]);
});

it("is repeated only if all of its calls are idempotent", async () => {
  for (const [call, count] of [
    [get, 2],
    [create, 1],
  ] as const) {
    let tries = 0;
    const api = fullClient(
      async () => {
        tries++;
        return json({}, { status: 503 });
      },
      { retry: { attempts: 2, delay: 1 } },
    );
    await failure(batch(api, [call(api, { id: 1 })]));
    expect(tries).toBe(count);
  }
});

import { describe, expect, test } from "vitest";
import {
  ApiError,
  reply,
  type Call,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { description } from "../../support/generate.js";
import { loadServer, spec, type CreateServer } from "./generated.js";

// Statements of specs/README.md about servers that no other test covers.

type Seen = { status: number; headers: Headers; text: string; log: unknown[] };

async function send(
  create: CreateServer,
  service: object,
  path: string,
  init: RequestInit = {},
  options: ServerOptions = {},
): Promise<Seen> {
  const log: unknown[] = [];
  const server = create(service, {
    log: ({ error }) => void (error === undefined || log.push(error)),
    ...options,
  });
  const request = new Request(`https://api.example/${path}`, init);
  const answer = await server.fetch(request);
  const { status, headers } = answer;
  return { status, headers, text: await answer.text(), log };
}

const post = (body: unknown, headers: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

const demo = await loadServer(
  description({
    name: "demo",
    batchPath: "batch",
    parameters: { fields: { type: "string", location: "query" } },
    documentationLink: "https://docs.example/",
    "x-credential": { in: "header", name: "X-Key" },
    "x-headers": {
      "X-Required": { type: "integer", required: true, minimum: "1" },
      "X-Tags": { type: "string", repeated: true, enum: ["a", "b"] },
      "X-Shared": { type: "string", default: "document" },
    },
    "x-errors": {
      default: {
        description: "Any.",
        $ref: "Failure",
        body: {
          status: "{status}",
          text: "{message}",
          link: "{documentation}",
          reason: "{reason}",
          field: "{field}",
          problems: [{ at: "{field}", why: "{message}", code: "{code}" }],
          literal: "{message} and more",
        },
      },
      401: { description: "No key.", message: "Who are you?" },
      422: { description: "Does not fit.", code: "bad" },
    },
    schemas: {
      Failure: {
        id: "Failure",
        type: "object",
        properties: {
          status: { type: "integer" },
          text: { type: "string" },
          link: { type: "string" },
          reason: { type: "string" },
          field: { type: "string", "x-nullable": true },
          problems: { type: "array", items: { $ref: "Problem" } },
          literal: { type: "string" },
        },
      },
      Problem: {
        id: "Problem",
        type: "object",
        properties: {
          at: { type: "string" },
          why: { type: "string" },
          code: { type: "string" },
        },
      },
      Thing: {
        id: "Thing",
        type: "object",
        "x-required": ["id"],
        properties: {
          id: { type: "string" },
          note: { type: "string", "x-nullable": true },
          hard: { type: "string" },
          kind: { type: "string", enum: ["a"], "x-open-enum": true },
          closed: { type: "string", enum: ["a"] },
        },
      },
    },
    methods: {
      open: {
        id: "demo.open",
        path: "open",
        httpMethod: "GET",
        response: { $ref: "Thing" },
        "x-credential": false,
        "x-headers": { "X-Shared": { type: "string", default: "method" } },
      },
      get: {
        id: "demo.get",
        path: "get",
        httpMethod: "GET",
        response: { $ref: "Thing" },
      },
      put: {
        id: "demo.put",
        path: "put",
        httpMethod: "POST",
        request: { $ref: "Thing" },
        response: { $ref: "Thing" },
        "x-status": 201,
      },
    },
  }),
);

const KEY = { "x-key": "k", "X-REQUIRED": "1" };

describe("x-credential", () => {
  test("values without a scheme; false requires none", async () => {
    const seen: unknown[] = [];
    const see = ({ credential }: Call): object => (
      seen.push(credential),
      { id: "1" }
    );
    const service = { get: see, open: see };
    const got = await send(demo, service, "get", { headers: KEY });
    expect(got.status).toBe(200);
    const headers = { "x-required": "1" };
    expect((await send(demo, service, "open", { headers })).status).toBe(200);
    expect(seen).toEqual([{ scheme: "", token: "k" }, undefined]);
    const none = await send(demo, service, "get", { headers });
    expect([none.status, JSON.parse(none.text)]).toMatchObject([
      401,
      { status: 401, text: "Who are you?", field: null },
    ]);
  });
});

describe("x-headers", () => {
  const give = ({ params }: Call): unknown => params;
  const ask = (headers: Record<string, string>, path: string = "get") =>
    send(demo, { get: give, open: give }, path, { headers });

  test("any case; decoded; with defaults; those of the method take precedence", async () => {
    const { text } = await ask({ ...KEY, "x-tAgS": "a, b" });
    expect(JSON.parse(text)).toEqual({
      "X-Required": 1,
      "X-Tags": ["a", "b"],
      "X-Shared": "document",
    });
    const open = await ask({ "x-required": "2" }, "open");
    expect(JSON.parse(open.text)).toEqual({
      "X-Required": 2,
      "X-Shared": "method",
    });
  });

  test.each([
    [{ "x-key": "k" }, "X-Required"],
    [{ "x-key": "k", "x-required": "x" }, "X-Required"],
    [{ "x-key": "k", "x-required": "0" }, "X-Required"],
    [{ ...KEY, "x-tags": "a,c" }, "X-Tags"],
  ])("%j is checked like a parameter", async (headers, name) => {
    const { status, text } = await ask(headers);
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { field: name, problems: [{ at: name }] },
    ]);
  });
});

describe("x-errors", () => {
  const fails = (error: unknown): object => ({
    get: () => {
      throw error;
    },
  });

  test("every error uses the template: types, null, omitted members, literals", async () => {
    const { status, text } = await send(
      demo,
      fails(new ApiError(409, "Taken.")),
      "get",
      { headers: KEY },
    );
    expect([status, JSON.parse(text)]).toEqual([
      409,
      {
        status: 409,
        text: "Taken.",
        link: "https://docs.example/",
        field: null,
        problems: [{ why: "Taken." }],
        literal: "{message} and more",
      },
    ]);
  });

  test.each([
    ["an unknown path", "nothing", {}, 404],
    ["another HTTP method", "get", { method: "DELETE" }, 405],
    ["a missing handler", "open", { headers: { "x-required": "1" } }, 501],
  ])("%s", async (_, path, init, expected) => {
    const { status, text } = await send(demo, {}, path, init);
    expect([status, JSON.parse(text)]).toMatchObject([
      expected,
      { status: expected, link: "https://docs.example/" },
    ]);
  });

  test("an internal error, and a part of a batch that is not a request", async () => {
    const bug = await send(demo, fails(new Error("secret")), "get", {
      headers: KEY,
    });
    expect(JSON.parse(bug.text)).toMatchObject({ status: 500 });
    expect(bug.text).not.toContain("secret");
    const { text } = await send(demo, {}, "batch", {
      method: "POST",
      headers: { "content-type": "multipart/mixed; boundary=B" },
      body: "--B\r\n\r\nnonsense\r\n--B--",
    });
    expect(text).toContain('"text":"The part is not an HTTP request."');
  });

  test("several problems; 422 from the default of the document", async () => {
    const { status, text } = await send(
      demo,
      {},
      "put",
      post({ id: "1", hard: null, closed: "b" }, KEY),
    );
    expect([status, JSON.parse(text)]).toMatchObject([
      422,
      {
        status: 422,
        problems: [
          { at: "hard", code: "bad" },
          { at: "closed", code: "bad" },
        ],
      },
    ]);
  });
});

test("x-status: a success status without a body", async () => {
  const put = (): unknown => reply({ id: "1" }, { status: 204 });
  const { status, text, headers } = await send(
    demo,
    { put },
    "put",
    post({ id: "1" }, KEY),
  );
  expect([status, text, headers.get("content-type")]).toEqual([204, "", null]);
  const plain = { put: () => ({ id: "1" }) };
  const made = await send(demo, plain, "put", post({ id: "1" }, KEY));
  expect(made.status).toBe(201);
});

describe("x-nullable, x-required, x-open-enum", () => {
  const put = ({ body }: Call): unknown => body;
  const ask = (
    body: object,
    options: ServerOptions = {},
    path: string = "put",
  ) => send(demo, { put }, path, post(body, KEY), options);

  test("null and unknown values reach the handler unchanged and may be returned", async () => {
    const body = { id: "1", note: null, kind: "z" };
    const { status, text } = await ask(body, { validateResponses: true });
    expect([status, JSON.parse(text)]).toEqual([201, body]);
  });

  test("required members of a response, unless fields are selected", async () => {
    const get = (): unknown => ({ kind: "a" });
    const answer = (path: string): Promise<Seen> =>
      send(demo, { get }, path, { headers: KEY }, { validateResponses: true });
    const { status, log } = await answer("get");
    expect(status).toBe(500);
    expect(String(log[0])).toContain("/id");
    const part = await answer("get?fields=kind");
    expect([part.status, part.text]).toEqual([200, '{"kind":"a"}']);
  });
});

describe("x-stream", () => {
  const asked = { model: "m", messages: [{ role: "user", content: "x" }] };
  const headers = { authorization: "Bearer k", accept: "text/event-stream" };
  const PATH = "v1/chat/completions";
  async function* events(): AsyncGenerator<object> {
    yield { id: "1" };
  }
  const service = (create: (call: Call) => unknown): object => ({
    chat: { completions: { create } },
  });

  test("the body decides, not the Accept header", async () => {
    const chat = await loadServer(spec("chat.v1"));
    const plain = service(() => ({ id: "1" }));
    const answer = await send(chat, plain, PATH, post(asked, headers));
    expect(answer.headers.get("content-type")).toContain("application/json");
    const streamed = post({ ...asked, stream: true }, headers);
    const wrong = await send(chat, plain, PATH, streamed);
    expect(String(wrong.log[0])).toContain(
      "must return an async iterable of events",
    );
    const other = await send(chat, service(events), PATH, post(asked, headers));
    expect(String(other.log[0])).toContain("does not request a stream");
  });

  test("events with headers set by the handler", async () => {
    const chat = await loadServer(spec("chat.v1"));
    const own = service(() =>
      reply(events(), { headers: { "X-Request-Id": "r1" } }),
    );
    const streamed = post({ ...asked, stream: true }, headers);
    const answer = await send(chat, own, PATH, streamed);
    expect(answer.headers.get("x-request-id")).toBe("r1");
    expect(answer.text).toBe('data: {"id":"1"}\n\ndata: [DONE]\n\n');
  });
});

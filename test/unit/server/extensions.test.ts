import { describe, expect, test } from "vitest";
import {
  ApiError,
  type Call,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { loadServer, spec } from "./generated.js";

/** Sends a request to the server of a description in specs/. */
async function send(
  name: string,
  service: object,
  path: string,
  init: RequestInit = {},
  options: ServerOptions = {},
): Promise<{ status: number; headers: Headers; text: string; json: unknown }> {
  const create = await loadServer(spec(name));
  const server = create(service, options);
  const request = new Request(`https://api.example/${path}`, init);
  const { status, headers, ...response } = await answer(
    await server.fetch(request),
  );
  return { status, headers, ...response };
}

async function answer(response: Response): Promise<{
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json");
  const json: unknown = isJson === true ? JSON.parse(text) : undefined;
  return { status, headers, text, json };
}

const KEY = { authorization: "bearer k1" };

function post(
  body: unknown,
  headers: Record<string, string> = KEY,
): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

describe("chat", () => {
  const COMPLETIONS = "v1/chat/completions";
  const asked = { model: "m", messages: [{ role: "user", content: "hi" }] };
  const serve = (create: (call: Call) => unknown): object => ({
    chat: { completions: { create } },
  });

  test("a credential in a header with a case-insensitive scheme", async () => {
    const service = serve(({ credential }) => ({ id: credential?.token }));
    const seen = await send("chat.v1", service, COMPLETIONS, post(asked));
    expect(seen.json).toEqual({ id: "k1" });
    for (const headers of [
      {},
      { authorization: "Basic x" },
      { authorization: "Bearer" },
    ]) {
      const { status, json } = await send(
        "chat.v1",
        service,
        COMPLETIONS,
        post(asked, headers as Record<string, string>),
      );
      expect([status, json]).toEqual([
        401,
        {
          error: {
            message: "Incorrect API key provided.",
            type: "invalid_request_error",
            param: null,
            code: "invalid_api_key",
          },
        },
      ]);
    }
  });

  test("errors have the API's own format", async () => {
    const missing = await send(
      "chat.v1",
      {},
      COMPLETIONS,
      post({ model: "m" }),
    );
    expect([missing.status, missing.json]).toEqual([
      400,
      {
        error: {
          message: "Body member messages is missing.",
          type: "invalid_request_error",
          param: "messages",
          code: null,
        },
      },
    ]);
    const path = await send("chat.v1", {}, "v1/responses");
    expect(path.json).toMatchObject({
      error: { message: "Unknown request URL." },
    });
    const method = await send("chat.v1", {}, COMPLETIONS);
    expect([method.status, method.headers.get("allow")]).toEqual([
      405,
      "POST, OPTIONS",
    ]);
    const thrown = serve(() => {
      throw new ApiError(404, "");
    });
    const model = await send("chat.v1", thrown, COMPLETIONS, post(asked));
    expect(model.json).toMatchObject({
      error: { message: "The model does not exist.", code: "model_not_found" },
    });
    const broken = await send(
      "chat.v1",
      serve(() => {
        throw new Error("secret");
      }),
      COMPLETIONS,
      post(asked),
    );
    expect(broken.json).toMatchObject({
      error: {
        message: "The server had an error while processing the request.",
        type: "server_error",
      },
    });
  });

  test("events, if the body requests them", async () => {
    const service = serve(async function* ({ body }: Call) {
      yield { id: (body as typeof asked).model };
      yield { id: "2" };
    });
    const init = post({ ...asked, stream: true });
    const seen = await send("chat.v1", service, COMPLETIONS, init);
    expect(seen.headers.get("content-type")).toBe(
      "text/event-stream; charset=utf-8",
    );
    expect(seen.text).toBe(
      'data: {"id":"m"}\n\ndata: {"id":"2"}\n\ndata: [DONE]\n\n',
    );
  });

  test("errors before and after the first event", async () => {
    const failing = (after: number): object =>
      serve(async function* () {
        for (let index = 0; index < after; index++) yield { id: "1" };
        throw new ApiError(429, "Slow down.");
      });
    const init = post({ ...asked, stream: true });
    const before = await send("chat.v1", failing(0), COMPLETIONS, init);
    expect([before.status, before.json]).toMatchObject([
      429,
      { error: { message: "Slow down." } },
    ]);
    const behind = await send("chat.v1", failing(1), COMPLETIONS, init);
    expect(behind.status).toBe(200);
    expect(behind.text).toMatch(
      /^data: {"id":"1"}\n\ndata: {"error":{.*"message":"Slow down.".*}}\n\n$/,
    );
  });

  test("a client that leaves early stops the handler", async () => {
    let isStopped = false;
    const service = serve(async function* () {
      try {
        for (;;) yield { id: "1" };
      } finally {
        isStopped = true;
      }
    });
    const create = await loadServer(spec("chat.v1"));
    const request = new Request(
      `https://api.example/${COMPLETIONS}`,
      post({ ...asked, stream: true }),
    );
    const response = await create(service).fetch(request);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(isStopped).toBe(true);
  });

  test("a client that never reads stops the handler", async () => {
    let isStopped = false;
    const service = serve(async function* () {
      try {
        for (;;) yield { id: "1" };
      } finally {
        isStopped = true;
      }
    });
    const create = await loadServer(spec("chat.v1"));
    const request = {
      method: "POST",
      target: `/${COMPLETIONS}`,
      origin: "https://api.example",
      signal: new AbortController().signal,
      raw: undefined,
      header: (name: string) => (KEY as Record<string, string>)[name],
      text: async () => JSON.stringify({ ...asked, stream: true }),
      async *chunks() {},
    };
    const { body } = await create(service).handle(request);
    const events = body as AsyncIterable<string>;
    await events[Symbol.asyncIterator]().return?.();
    expect(isStopped).toBe(true);
  });

  test("an event that can't be serialized stops the handler", async () => {
    let isStopped = false;
    const service = serve(async function* () {
      try {
        yield { id: "1" };
        yield { id: 1n };
      } finally {
        isStopped = true;
      }
    });
    const init = post({ ...asked, stream: true });
    const seen = await send("chat.v1", service, COMPLETIONS, init);
    expect(seen.text).toMatch(/^data: {"id":"1"}\n\ndata: {"error":{.*}}\n\n$/);
    expect(isStopped).toBe(true);
  });

  test("a body that is not UTF-8 is refused", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const init = { ...post(""), body };
    const seen = await send("chat.v1", {}, COMPLETIONS, init);
    expect(seen.status).toBe(400);
    expect(seen.json).toMatchObject({
      error: { message: "The body is not UTF-8.", param: null },
    });
  });
});

describe("marketplace", () => {
  const validation = ({ params }: Call): unknown => ({
    status: "success",
    data: params,
  });
  const service = { purchases: { validation } };
  const PATH = "api/purchases/validation";

  test.each([
    ["query", `${PATH}?api_key=k&purchase_code=c`, { method: "POST" }],
    [
      "JSON before the query",
      `${PATH}?api_key=x`,
      post({ api_key: "k", purchase_code: "c" }),
    ],
    [
      "a form",
      PATH,
      {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "api_key=k&purchase_code=c",
      },
    ],
  ])("parameters in %s", async (_, path, init) => {
    const { status, json } = await send("marketplace.v1", service, path, init);
    expect([status, json]).toMatchObject([
      200,
      { data: { api_key: "k", purchase_code: "c" } },
    ]);
  });

  test("an object is not a valid parameter value", async () => {
    for (const value of [{ $ne: "" }, [["c"]]]) {
      const init = post({ api_key: "k", purchase_code: value, other: {} });
      const found = await send("marketplace.v1", service, PATH, init);
      expect([found.status, found.json]).toEqual([
        400,
        {
          status: "error",
          msg: "Invalid value for parameter purchase_code: it must be a string, number or boolean, or a list of these.",
        },
      ]);
    }
  });

  test("errors have the API's own format", async () => {
    const missing = await send(
      "marketplace.v1",
      service,
      `${PATH}?purchase_code=c`,
      { method: "POST" },
    );
    expect([missing.status, missing.json]).toEqual([
      400,
      { status: "error", msg: "Required parameter api_key is missing." },
    ]);
    const unknown = {
      purchases: { validation: () => Promise.reject(new ApiError(404, "")) },
    };
    const thrown = await send(
      "marketplace.v1",
      unknown,
      `${PATH}?api_key=k&purchase_code=c`,
      { method: "POST" },
    );
    expect(thrown.json).toEqual({
      status: "error",
      msg: "Invalid purchase code",
    });
  });
});

describe("migration", () => {
  const TOKEN = { authorization: "token t" };

  test("statuses and redirections", async () => {
    const service = {
      migrations: {
        startForOrg: ({ body }: Call) => body,
        downloadArchiveForOrg: () => "https://files.example/1",
        deleteArchiveForOrg: () => {},
      },
    };
    const made = await send(
      "migration.v1",
      service,
      "orgs/o/migrations",
      post({ repositories: ["r"] }, TOKEN),
    );
    expect([made.status, made.json]).toEqual([201, { repositories: ["r"] }]);
    const archive = await send(
      "migration.v1",
      service,
      "orgs/o/migrations/1/archive",
      { headers: TOKEN },
    );
    expect([
      archive.status,
      archive.headers.get("location"),
      archive.text,
    ]).toEqual([302, "https://files.example/1", ""]);
    const init = { method: "DELETE", headers: TOKEN };
    const gone = await send(
      "migration.v1",
      service,
      "orgs/o/migrations/1/archive",
      init,
    );
    expect([gone.status, gone.text]).toEqual([204, ""]);
  });

  test("headers and lists in every format", async () => {
    let seen: unknown;
    const service = {
      migrations: { listForOrg: ({ params }: Call) => ((seen = params), []) },
    };
    const query = "exclude=repositories,a&exclude[]=b&exclude%5B%5D=c";
    const headers = { ...TOKEN, "x-vendor-api-version": "2022-11-28" };
    const { status, json } = await send(
      "migration.v1",
      service,
      `orgs/o/migrations?${query}`,
      { headers },
    );
    expect([status, json]).toEqual([200, []]);
    expect(seen).toMatchObject({
      org: "o",
      exclude: ["repositories", "a", "b", "c"],
      "X-Vendor-Api-Version": "2022-11-28",
      accept: "application/vnd.vendor+json",
    });
    const wrong = { ...TOKEN, "x-vendor-api-version": "v3" };
    expect(
      (
        await send("migration.v1", service, "orgs/o/migrations", {
          headers: wrong,
        })
      ).status,
    ).toBe(400);
  });

  test("an invalid body is 422 with a list of errors", async () => {
    const { status, json } = await send(
      "migration.v1",
      {},
      "orgs/o/migrations",
      post({ exclude: ["x"] }, TOKEN),
    );
    expect(status).toBe(422);
    expect(json).toMatchObject({
      message: "Validation Failed",
      status: "422",
      errors: [
        { resource: "Migration", field: "repositories", code: "missing_field" },
        { resource: "Migration", field: "exclude[0]", code: "invalid" },
      ],
    });
    const init = { ...post({}, TOKEN), body: "{" };
    const broken = await send("migration.v1", {}, "orgs/o/migrations", init);
    expect([broken.status, broken.json]).toMatchObject([
      400,
      { message: "Problems parsing JSON" },
    ]);
  });
});

test("the directory uses the standard envelope", async () => {
  const { status, json } = await send(
    "discovery.v1",
    {},
    "discovery/v1/nothing",
  );
  expect([status, json]).toMatchObject([
    404,
    { error: { code: 404, errors: [{ reason: "notFound" }] } },
  ]);
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { content as foreignContent } from "../../generated/runtime/server/index.js";
import {
  content,
  mock,
  MockError,
  type Mock,
  type MockOptions,
} from "../../src/index.js";
import { createRecorder, createReplayer } from "../../src/mock/recordings.js";
import { listen } from "../../src/runtime/server/listen.js";
import http from "node:http";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { PRESS } from "./press.js";

const SHOP = JSON.parse(
  readFileSync(path.join(ROOT, "test/environments/shop.v1.json"), "utf8"),
) as Record<string, unknown>;
const CHAT = path.join(ROOT, "specs/chat.v1.json");
const BOOKS = "/v1/shelves/s1/books";

async function call(
  send: (url: string, init: RequestInit) => Promise<Response>,
  verb: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await send(url, {
    method: verb,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith("{") ? JSON.parse(text) : text,
  };
}

async function press(options: MockOptions = {}): Promise<{
  readonly fake: Mock;
  readonly send: (
    verb: string,
    target: string,
    body?: unknown,
  ) => ReturnType<typeof call>;
}> {
  const fake = await mock(PRESS, { validateResponses: true, ...options });
  onTestFinished(() => fake.close());
  return {
    fake,
    send: (verb, target, body) =>
      call(fake.fetch, verb, `http://mock.test${target}`, body),
  };
}

describe("an empty mock", () => {
  test("lists and finds only what callers created", async () => {
    const { send } = await press({ empty: true });
    expect((await send("GET", BOOKS)).body).toEqual({
      books: [],
      totalSize: 0,
    });
    expect((await send("GET", `${BOOKS}/a`)).status).toBe(404);
    expect((await send("PATCH", `${BOOKS}/a`, {})).status).toBe(404);
    const made = await send("POST", `${BOOKS}?bookId=a`, { title: "A" });
    expect(made.body).toMatchObject({ name: "shelves/s1/books/a", title: "A" });
    expect((await send("GET", BOOKS)).body.books).toEqual([made.body]);
    expect((await send("GET", `${BOOKS}/a`)).body).toEqual(made.body);
  });
});

describe("data", () => {
  const items = [{ id: "a", name: "a.txt" }];

  test("replaces the generated resources of its collection", async () => {
    const fake = await mock(SHOP, { data: { items } });
    const send = (target: string) =>
      call(fake.fetch, "GET", `http://mock.test${target}`);
    const { body } = await send("/shop/v1/items");
    expect(body.items).toEqual([expect.objectContaining(items[0]!)]);
    expect((await send("/shop/v1/items/a")).body).toMatchObject(items[0]!);
    expect((await send("/shop/v1/items/b")).status).toBe(404);
  });

  test("belongs to the parent in the name, or in the key", async () => {
    const title = "Emma";
    for (const data of [
      { books: [{ name: "shelves/s1/books/emma", title }] },
      { "v1/shelves/s1/books": [{ name: "shelves/s1/books/emma", title }] },
      { "shelves/s1/books": [{ name: "shelves/s1/books/emma", title }] },
    ]) {
      const { send } = await press({ data });
      expect((await send("GET", BOOKS)).body.books).toEqual([
        { name: "shelves/s1/books/emma", title },
      ]);
      const other = await send("GET", "/v1/shelves/s2/books");
      expect(other.body.books).toHaveLength(3);
    }
  });

  test("is read from a folder with a file for each collection", async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, "data/shelves/s1"), { recursive: true });
    const book = { name: "shelves/s1/books/emma", title: "Emma" };
    writeFileSync(
      path.join(cwd, "data/shelves/s1/books.json"),
      JSON.stringify([book]),
    );
    writeFileSync(
      path.join(cwd, "data/settings.json"),
      JSON.stringify({ language: "fi" }),
    );
    const { send } = await press({ data: "data", cwd });
    expect((await send("GET", BOOKS)).body.books).toEqual([book]);
    expect((await send("GET", "/v1/settings")).body.language).toBe("fi");
  });

  test("of several APIs is below their names", async () => {
    const library = path.join(ROOT, "test/compile/library.v1.json");
    const data = { chat: { models: [{ id: "tiny" }] } };
    const fake = await mock([CHAT, library], { data });
    const { body } = await call(fake.fetch, "GET", "http://m/v1/models");
    expect(body.data).toEqual([expect.objectContaining({ id: "tiny" })]);
    expect(Object.keys(fake.state())).toEqual(["chat:v1", "library:v1"]);
  });

  test.each([
    [{ shelfs: [] }, /"shelfs" must be the name or the path of a collection/],
    [{ books: {} }, /books must be a list/],
    [{ books: [{ title: "A" }] }, /does not contain the parent/],
    [{ books: ["a"] }, /books\[0\] must contain a JSON object/],
    [
      { books: [{ name: "shelves/s/books/a" }, { name: "shelves/s/books/a" }] },
      /Already exists/,
    ],
    ["missing", /missing: ENOENT/],
    [{ $mock: {} }, /unchanged member of a saved state/],
  ])("%j is refused", async (data, message) => {
    const started = press({ data, cwd: temporaryFolder() });
    await expect(started).rejects.toThrow(MockError);
    await expect(started).rejects.toThrow(message);
  });
});

describe("handlers", () => {
  test("replace single methods", async () => {
    const { send } = await press({
      handlers: {
        books: { get: ({ params }: any) => ({ title: params.name }) },
      },
    });
    const got = await send("GET", `${BOOKS}/a`);
    expect(got.body).toEqual({ title: "shelves/s1/books/a" });
    expect((await send("GET", BOOKS)).body.books).toHaveLength(3);
  });

  test.each([
    ["content of the package", content],
    ["content of another copy of the runtime", foreignContent],
  ])("return %s", async (_, create) => {
    const fake = await mock(SHOP, {
      handlers: {
        items: { get: () => create({ body: "x", contentType: "text/plain" }) },
      },
    });
    const response = await fake.fetch("http://m/shop/v1/items/a?alt=media");
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe("x");
  });

  test("of unknown methods are refused", async () => {
    const handlers = { books: { burn: () => ({}) } };
    await expect(press({ handlers })).rejects.toThrow(
      /books\.burn belongs to no method/,
    );
  });
});

describe("faults", () => {
  test("apply to a method for a number of calls", async () => {
    const { fake, send } = await press();
    fake.fail({
      method: "press.books.get",
      status: 503,
      times: 2,
      reason: "backendError",
    });
    expect((await send("GET", BOOKS)).status).toBe(200);
    for (const _ of [1, 2]) {
      const { status, body } = await send("GET", `${BOOKS}/a`);
      expect(status).toBe(503);
      expect(body.error.errors[0].reason).toBe("backendError");
    }
    expect((await send("GET", `${BOOKS}/a`)).status).toBe(200);
  });

  test("of all methods of a resource apply in order", async () => {
    const { fake, send } = await press();
    fake.fail({ method: "press.books.*", status: 429 });
    fake.fail({ status: 500 });
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await send("GET", BOOKS)).status);
    expect(statuses).toEqual([429, 500, 200]);
  });

  test("delay, reset and truncate responses over HTTP", async () => {
    const { fake } = await press();
    const { rootUrl } = await fake.listen(0);
    const url = `${rootUrl}v1/shelves/s1/books`;
    fake.fail({ delay: 80 });
    const started = performance.now();
    expect((await fetch(url)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(70);
    fake.fail({ reset: true });
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    fake.fail({ truncate: true });
    const cut = await fetch(url);
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
    expect((await fetch(url)).status).toBe(200);
  });

  test("reset and truncate responses in memory", async () => {
    const { fake } = await press();
    const url = `http://mock.test${BOOKS}`;
    fake.fail({ reset: true });
    await expect(fake.fetch(url)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ECONNRESET" },
    });
    fake.fail({ truncate: true });
    await expect((await fake.fetch(url)).text()).rejects.toThrow();
  });

  test("change no resource", async () => {
    const { fake, send } = await press({ empty: true });
    fake.fail({ status: 500 });
    fake.fail({ reset: true });
    const post = (): Promise<unknown> => send("POST", `${BOOKS}?bookId=a`, {});
    expect(await post()).toMatchObject({ status: 500 });
    await expect(post()).rejects.toThrow();
    expect((await send("GET", BOOKS)).body.books).toEqual([]);
  });

  test.each([
    [{}, "must have a status, a delay, reset or truncate"],
    [{ status: 200 }, "status must be an integer from 400 to 599"],
    [{ status: 500, times: 0 }, "times must be a positive integer"],
    [{ delay: -1 }, "delay must be a number"],
    [{ staus: 500 } as object, 'must not have the member "staus"'],
    [{ method: 1 } as object, "method of a fault must be a string"],
  ])("%j is refused", async (fault, message) => {
    const { fake } = await press();
    expect(() => fake.fail(fault)).toThrow(message);
  });
});

test("latency delays responses, and must be a range", async () => {
  const { send } = await press({ latency: { min: 60, max: 70 } });
  const started = performance.now();
  await send("GET", BOOKS);
  expect(performance.now() - started).toBeGreaterThan(55);
  for (const latency of [
    { min: 5, max: 1 },
    { min: -1, max: 1 },
    { min: 0, max: NaN },
  ])
    await expect(press({ latency })).rejects.toThrow("latency must be a range");
});

describe("the journal", () => {
  test("contains method, parameters, body, headers and status", async () => {
    const { fake, send } = await press();
    await send("POST", `${BOOKS}?bookId=emma`, { title: "Emma" });
    await send("GET", "/nowhere");
    const [first] = fake.requests({ method: "press.books.create" });
    expect(first).toEqual({
      method: "press.books.create",
      httpMethod: "POST",
      path: `${BOOKS}?bookId=emma`,
      parameters: { parent: "shelves/s1", bookId: "emma" },
      body: { title: "Emma" },
      headers: { "content-type": "application/json" },
      status: 200,
    });
    expect(fake.requests().map(({ status }) => status)).toEqual([200, 404]);
    expect(fake.requests()[1]).not.toHaveProperty("method");
  });

  test("contains no credentials", async () => {
    const { fake } = await press();
    await fake.fetch(
      `http://mock.test${BOOKS}?key=hush&access_token=hush&%6bey=hush`,
      {
        headers: {
          authorization: "Bearer hush",
          "x-goog-api-key": "hush",
          cookie: "a=hush",
        },
      },
    );
    const [request] = fake.requests();
    expect(request!.headers["authorization"]).toBe("Bearer [removed]");
    expect(JSON.stringify(request)).not.toContain("hush");
  });
});

describe("state", () => {
  test("is restored by data and by reset", async () => {
    const { fake, send } = await press({
      data: { books: [{ name: "shelves/s1/books/a", title: "A" }] },
    });
    await send("POST", `${BOOKS}?bookId=b`, { title: "B" });
    await send("DELETE", `${BOOKS}/a`);
    await send("PATCH", "/v1/settings", { language: "fi" });
    const state = JSON.parse(JSON.stringify(fake.state()));
    const copy = await press({ data: state });
    for (const target of [BOOKS, `${BOOKS}/a`, `${BOOKS}/b`, "/v1/settings"])
      expect(await copy.send("GET", target)).toEqual(await send("GET", target));
    const next = await send("POST", BOOKS, {});
    expect(await copy.send("POST", BOOKS, {})).toEqual(next);
    fake.fail({ status: 500 });
    fake.reset();
    expect(fake.requests()).toEqual([]);
    expect((await send("GET", BOOKS)).body.books).toEqual([
      { name: "shelves/s1/books/a", title: "A" },
    ]);
  });

  test("contains uploaded content", async () => {
    const fake = await mock(SHOP);
    await fake.fetch("http://m/upload/shop/v1/items?uploadType=media", {
      method: "POST",
      body: "hello",
      headers: { "content-type": "text/x-a" },
    });
    const { items } = (await (
      await fake.fetch("http://m/shop/v1/items")
    ).json()) as { items: { id: string }[] };
    const copy = await mock(SHOP, { data: fake.state() });
    const got = await copy.fetch(
      `http://m/shop/v1/items/${items.at(-1)!.id}?alt=media`,
    );
    expect(got.headers.get("content-type")).toBe("text/x-a");
    expect(await got.text()).toBe("hello");
  });
});

describe("/__mock/", () => {
  test("controls the mock over HTTP", async () => {
    const { fake } = await press();
    const { rootUrl } = await fake.listen(0);
    const control = (verb: string, name: string, body?: unknown) =>
      call(fetch, verb, `${rootUrl}__mock/${name}`, body);
    const get = () => call(fetch, "GET", `${rootUrl}v1/shelves/s1/books`);
    expect((await control("POST", "faults", { status: 503 })).status).toBe(204);
    const two = [{ status: 500 }, { status: 429 }];
    await control("POST", "faults", two);
    const statuses = [];
    for (const _ of [1, 2, 3, 4]) statuses.push((await get()).status);
    expect(statuses).toEqual([503, 500, 429, 200]);
    const query = "requests?method=press.books.list";
    expect((await control("GET", query)).body.requests).toHaveLength(4);
    await control("DELETE", "requests");
    expect((await control("GET", "requests")).body.requests).toEqual([]);
    const books = [{ name: "shelves/s1/books/a", title: "A" }];
    expect((await control("PUT", "state", { books })).status).toBe(204);
    expect((await get()).body.books).toEqual(books);
    const state = (await control("GET", "state")).body;
    expect(state["v1/shelves/s1/books"]).toEqual(books);
    expect((await control("POST", "reset")).status).toBe(204);
    expect((await get()).body.books).toHaveLength(3);
  });

  test("refuses invalid values without a change", async () => {
    const { fake } = await press();
    const { rootUrl } = await fake.listen(0);
    const before = fake.state();
    for (const [verb, name, body] of [
      ["PUT", "state", { nothing: [] }],
      ["PUT", "state", []],
      ["POST", "faults", { status: 1 }],
    ] as const) {
      const { status } = await call(
        fetch,
        verb,
        `${rootUrl}__mock/${name}`,
        body,
      );
      expect(status).toBe(400);
    }
    const unknown = await call(fetch, "GET", `${rootUrl}__mock/x`);
    expect(unknown).toMatchObject({ status: 404 });
    expect(fake.state()).toEqual(before);
  });

  test("refuses hostile bodies without a change", async () => {
    const { fake } = await press();
    const { rootUrl } = await fake.listen(0);
    const before = fake.state();
    const send = async (
      verb: string,
      name: string,
      body: string | Uint8Array,
    ): Promise<number> => {
      const response = await fetch(`${rootUrl}__mock/${name}`, {
        method: verb,
        body: body as string,
      });
      await response.arrayBuffer();
      return response.status;
    };
    const deep = "[".repeat(500_000) + "]".repeat(500_000);
    const book = `{"name":"shelves/s1/books/a","title":${deep}}`;
    const bodies: [verb: string, name: string, body: string | Uint8Array][] = [
      ["PUT", "state", `{"books":[${book}]}`],
      ["PUT", "state", `{"books":${deep}}`],
      ["PUT", "state", deep],
      ["PUT", "state", '{"__proto__":[{"name":"a"}]}'],
      ["PUT", "state", '{"constructor":{"prototype":[]}}'],
      ["PUT", "state", "{"],
      ["PUT", "state", new Uint8Array([0x7b, 0xff, 0x7d])],
      ["POST", "faults", deep],
      ["POST", "faults", '[{"status":503},{"status":1}]'],
      ["POST", "faults", '{"status":503,"delay":1e12}'],
      ["POST", "faults", '{"status":503,"times":-1}'],
      ["POST", "faults", JSON.stringify(Array(1001).fill({ status: 503 }))],
    ];
    for (const [verb, name, body] of bodies)
      expect([name, body.slice(0, 60), await send(verb, name, body)]).toEqual([
        name,
        body.slice(0, 60),
        400,
      ]);
    expect(fake.state()).toEqual(before);
    expect(Object.prototype).not.toHaveProperty("name");
    const { status } = await call(
      fetch,
      "GET",
      `${rootUrl}v1/shelves/s1/books`,
    );
    expect(status).toBe(200);
  });

  test("limits the size of bodies", async () => {
    const { fake } = await press();
    const { port } = await fake.listen(0);
    const status = await new Promise((resolve, reject) => {
      const request = http.request({
        port,
        host: "127.0.0.1",
        method: "PUT",
        path: "/__mock/state",
        headers: { "content-length": 65 * 1024 * 1024 },
      });
      request
        .on("response", (response) => {
          resolve(response.statusCode);
          request.destroy();
        })
        .on("error", reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  test("is refused to web pages, other hosts and other machines", async () => {
    const { fake } = await press();
    const { rootUrl, port } = await fake.listen(0);
    const url = `${rootUrl}__mock/state`;
    const origin = { origin: "https://attacker.example" };
    expect((await call(fetch, "GET", url, undefined, origin)).status).toBe(403);
    expect((await call(fake.fetch, "GET", url)).status).toBe(403);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: "attacker.example" };
      http
        .get({ port, host: "127.0.0.1", path: "/__mock/state", headers })
        .on("response", (response) => resolve(response.statusCode))
        .on("error", reject);
    });
    expect(status).toBe(421);
    const remote = {
      method: "GET",
      target: "/__mock/state",
      remoteAddress: "192.0.2.1",
      header: (name: string) => (name === "host" ? "localhost" : undefined),
    };
    const outgoing = await fake.handle(remote as never);
    expect(outgoing.status).toBe(403);
  });
});

describe("recordings", () => {
  test("replay the responses of a real server without its secrets", async () => {
    const { fake: real } = await press();
    const { rootUrl } = await real.listen(0);
    const folder = path.join(temporaryFolder(), "calls");
    const serve = async (handler: {
      handle(request: never): unknown;
    }): Promise<string> => {
      const server = await listen(http, {
        handle: handler.handle as never,
        close: async () => {},
      });
      onTestFinished(() => server.close());
      return `http://127.0.0.1:${server.port}`;
    };
    const recorder = await serve(createRecorder(rootUrl, folder));
    const steps = (origin: string, key: string) => [
      () => call(fetch, "GET", `${origin}${BOOKS}?pageSize=2&key=${key}`),
      () =>
        call(
          fetch,
          "POST",
          `${origin}${BOOKS}?bookId=emma`,
          { title: "Emma" },
          { authorization: `Bearer ${key}` },
        ),
      () => call(fetch, "GET", `${origin}${BOOKS}/emma`),
      () => call(fetch, "DELETE", `${origin}${BOOKS}/emma`),
      () => call(fetch, "GET", `${origin}${BOOKS}/emma`),
    ];
    const recorded = [];
    for (const step of steps(recorder, "hush")) recorded.push(await step());
    expect(recorded.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 404,
    ]);
    const names = readdirSync(folder);
    expect(names).toHaveLength(5);
    for (const name of names)
      expect(readFileSync(path.join(folder, name), "utf8")).not.toContain(
        "hush",
      );
    const replayer = await serve(createReplayer(folder));
    const replayed = [];
    for (const step of steps(replayer, "other")) replayed.push(await step());
    expect(replayed).toEqual(recorded);
    const unknown = await call(fetch, "GET", `${replayer}/v1/settings`);
    expect(unknown).toMatchObject({ status: 404 });
  });

  test("need a server and a folder", async () => {
    expect(() => createRecorder("ftp://h", "x")).toThrow(
      "must start with http",
    );
    expect(() => createReplayer(temporaryFolder())).toThrow("no recordings");
  });
});

describe("mistakes", () => {
  test("a fault or filter with an unknown method names the closest method", async () => {
    const { fake, send } = await press();
    const message =
      /no mocked API has the method "press\.book\.get" \(did you mean press\.books\.get\?\)/;
    expect(() => fake.fail({ method: "press.book.get", status: 503 })).toThrow(
      message,
    );
    expect(() => fake.fail({ method: "press.bok.*", status: 503 })).toThrow(
      "no mocked API has the method",
    );
    expect(() => fake.requests({ method: "press.book.get" })).toThrow(message);
    await send("GET", BOOKS);
    expect(fake.requests({ method: "press.books.*" })).toHaveLength(1);
    expect(fake.requests({ method: "press.settings.*" })).toEqual([]);
  });

  test.each<[string, MockOptions, string]>([
    ["option", { emtpy: true } as MockOptions, '"emtpy" (did you mean empty?)'],
    ["latency", { latency: 50 } as never, "{ min: 20, max: 50 }"],
    ["collection", { data: { boks: [] } }, "did you mean books?"],
    [
      "handler",
      { handlers: { books: { gt() {} } } },
      "did you mean books.get?",
    ],
    ["handler", { handlers: { books: { get: 1 } } }, "must be a function"],
  ])("an invalid %s is named", async (_, options, message) => {
    await expect(mock(PRESS, options)).rejects.toThrow(message);
  });

  test("data and handlers of several APIs name their API", async () => {
    const specs = [CHAT, path.join(ROOT, "specs/marketplace.v1.json")];
    for (const options of [
      { data: { chta: { models: [] } } },
      { data: { models: [] } },
      { handlers: { models: { list: () => ({}) } } },
    ])
      await expect(mock(specs, options)).rejects.toThrow(
        "must be the name of an API",
      );
    const data = temporaryFolder();
    await expect(mock(CHAT, { data })).rejects.toThrow("contains no JSON file");
    await expect(mock([])).rejects.toThrow("at least one document");
    const fake = await mock(specs, { data: { "chat:v1": { models: [] } } });
    onTestFinished(() => fake.close());
    expect(Object.keys(fake.state())).toContain("chat:v1");
  });

  test("a port in use names the fix", async () => {
    const { fake } = await press();
    const { port } = await fake.listen();
    await expect(fake.listen(port)).rejects.toThrow(
      "0 to listen on a free one",
    );
  });
});

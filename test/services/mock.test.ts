import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createChat } from "../../generated/chat/v1/index.js";
import {
  mock,
  MockError,
  type Mock,
  type MockOptions,
} from "../../src/index.js";
import { description } from "../support/generate.js";
import { ROOT } from "../support/paths.js";
import { PRESS } from "./press.js";

const SHOP = JSON.parse(
  readFileSync(path.join(ROOT, "test/environments/shop.v1.json"), "utf8"),
) as Record<string, unknown>;

/** Response to a request. */
interface Answer {
  readonly status: number;
  readonly body: any;
}

/** Calls an in-memory mock with JSON. */
async function call(
  server: Mock,
  verb: string,
  target: string,
  body?: unknown,
): Promise<Answer> {
  const response = await server.fetch(`http://mock.test${target}`, {
    method: verb,
    ...(body === undefined
      ? {}
      : {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith("{") ? JSON.parse(text) : text,
  };
}

function press(options: MockOptions = {}): Promise<Mock> {
  return mock(PRESS, { validateResponses: true, ...options });
}

const BOOKS = "/v1/shelves/s1/books";

describe("data", () => {
  test("is the same for the same request, and differs for another seed", async () => {
    const [one, two, other] = [
      await press(),
      await press(),
      await press({ seed: "2" }),
    ];
    const first = await call(one, "GET", `${BOOKS}/b1`);
    expect(first.status).toBe(200);
    expect(await call(two, "GET", `${BOOKS}/b1`)).toEqual(first);
    expect(await call(one, "GET", `${BOOKS}/b1`)).toEqual(first);
    expect(await call(other, "GET", `${BOOKS}/b1`)).not.toEqual(first);
    expect(await call(one, "GET", `${BOOKS}/b2`)).not.toEqual(first);
  });

  test("is identical on every machine", async () => {
    const { body } = await call(await press(), "GET", `${BOOKS}/b1`);
    expect(body).toMatchInlineSnapshot(`
      {
        "cover": {
          "color": "#951368",
          "finish": "gentle cedar",
        },
        "createTime": "2023-02-19T14:31:12Z",
        "etag": ""b4b4566a2da0650e"",
        "isbn": "979-6683392300",
        "labels": {
          "alpha": "hazel juniper",
          "beta": "lively falcon",
        },
        "name": "shelves/s1/books/b1",
        "pages": 991,
        "title": "Tidy kettle",
        "updateTime": "2024-06-15T14:21:36Z",
      }
    `);
  });

  test("has the names and formats of the document", async () => {
    const { body } = await call(await press(), "GET", `${BOOKS}/b1`);
    expect(body.name).toBe("shelves/s1/books/b1");
    expect(body.isbn).toMatch(/^97[89]-[0-9]{10}$/);
    expect(Date.parse(body.createTime)).toBeLessThan(
      Date.parse(body.updateTime),
    );
    expect(body.pages).toBeGreaterThanOrEqual(1);
    // The book in the cover would contain a cover again.
    expect(body.cover).not.toHaveProperty("sequel");
  });
});

describe("resources", () => {
  test("can be created, changed, listed and deleted", async () => {
    const server = await press();
    const before = await call(server, "GET", BOOKS);
    expect(before.body.books).toHaveLength(3);
    const made = await call(server, "POST", `${BOOKS}?bookId=emma`, {
      title: "Emma",
      createTime: "1999-01-01T00:00:00Z",
      labels: { a: "1", b: "2" },
      unknown: true,
    });
    expect(made.body).toMatchObject({
      name: "shelves/s1/books/emma",
      title: "Emma",
      createTime: "2025-01-01T00:00:00Z",
    });
    expect(made.body).not.toHaveProperty("unknown");
    expect(made.body).not.toHaveProperty("pages");
    const changed = await call(server, "PATCH", `${BOOKS}/emma`, {
      pages: 400,
      labels: { b: null, c: "3" },
    });
    expect(changed.body).toMatchObject({ title: "Emma", pages: 400 });
    expect(changed.body.labels).toEqual({ a: "1", c: "3" });
    expect(changed.body.etag).not.toBe(made.body.etag);
    expect(changed.body.updateTime).not.toBe(made.body.updateTime);
    expect(changed.body.createTime).toBe(made.body.createTime);
    expect((await call(server, "GET", `${BOOKS}/emma`)).body).toEqual(
      changed.body,
    );
    const after = await call(server, "GET", BOOKS);
    expect(after.body.books).toEqual([...before.body.books, changed.body]);
    expect(after.body.totalSize).toBe(4);
    expect((await call(server, "DELETE", `${BOOKS}/emma`)).status).toBe(200);
    expect((await call(server, "GET", `${BOOKS}/emma`)).status).toBe(404);
    expect((await call(server, "DELETE", `${BOOKS}/emma`)).status).toBe(404);
    expect((await call(server, "GET", BOOKS)).body).toEqual(before.body);
    const other = await call(server, "GET", "/v1/shelves/s2/books");
    expect(other.body.books).not.toEqual(before.body.books);
  });

  test("from a list can be read, changed and deleted", async () => {
    const server = await press({ strict: true });
    const { books } = (await call(server, "GET", BOOKS)).body;
    const at = `/v1/${books[1].name}`;
    expect((await call(server, "GET", at)).body).toEqual(books[1]);
    const { body } = await call(server, "PATCH", at, { title: "New" });
    const listed = (await call(server, "GET", BOOKS)).body.books;
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual(body);
    await call(server, "DELETE", at);
    expect((await call(server, "GET", BOOKS)).body.books).toEqual([
      books[0],
      books[2],
    ]);
  });

  test("exist without being created, unless the mock is strict", async () => {
    const strict = await press({ strict: true });
    expect((await call(strict, "GET", `${BOOKS}/b1`)).status).toBe(404);
    expect((await call(strict, "PATCH", `${BOOKS}/b1`, {})).status).toBe(404);
    expect((await call(strict, "DELETE", `${BOOKS}/b1`)).status).toBe(404);
    const server = await press();
    const before = await call(server, "GET", `${BOOKS}/b1`);
    const after = await call(server, "PATCH", `${BOOKS}/b1`, { title: "T" });
    expect(after.body).toMatchObject({ isbn: before.body.isbn, title: "T" });
  });

  test("can't be created twice", async () => {
    const server = await press();
    await call(server, "POST", `${BOOKS}?bookId=emma`, {});
    const again = await call(server, "POST", `${BOOKS}?bookId=emma`, {});
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ error: { status: "ALREADY_EXISTS" } });
  });

  test("are changed according to the mask", async () => {
    const server = await press();
    const target = `${BOOKS}/b1?updateMask=title,isbn`;
    const { body } = await call(server, "PATCH", target, {
      title: "New",
      pages: 1,
    });
    const before = (await call(await press(), "GET", `${BOOKS}/b1`)).body;
    expect(body).toMatchObject({ title: "New", pages: before.pages });
    expect(body).not.toHaveProperty("isbn");
  });

  test("that are singletons keep their values", async () => {
    const server = await press();
    const { body } = await call(server, "PATCH", "/v1/settings", {
      language: "fi",
    });
    expect((await call(server, "GET", "/v1/settings")).body).toEqual(body);
    expect(body.language).toBe("fi");
  });
});

describe("pages", () => {
  test("follow each other up to the last one", async () => {
    const server = await press();
    const all = (await call(server, "GET", BOOKS)).body.books;
    const first = await call(server, "GET", `${BOOKS}?pageSize=2`);
    expect(first.body.books).toEqual(all.slice(0, 2));
    const token = encodeURIComponent(first.body.nextPageToken);
    const next = await call(
      server,
      "GET",
      `${BOOKS}?pageSize=2&pageToken=${token}`,
    );
    expect(next.body.books).toEqual(all.slice(2));
    expect(next.body).not.toHaveProperty("nextPageToken");
  });

  test("require tokens of the mock", async () => {
    const server = await press();
    const { status } = await call(server, "GET", `${BOOKS}?pageToken=x`);
    expect(status).toBe(400);
  });
});

describe("content", () => {
  test("is downloaded as uploaded", async () => {
    const server = await mock(SHOP, { validateResponses: true });
    const response = await server.fetch(
      "http://mock.test/upload/shop/v1/items?uploadType=media",
      {
        method: "POST",
        body: "hello",
        headers: { "content-type": "text/x-a" },
      },
    );
    const item = (await response.json()) as { id: string; size: string };
    expect(item.size).toBe("5");
    const got = await server.fetch(
      `http://mock.test/shop/v1/items/${item.id}?alt=media`,
    );
    expect(got.headers.get("content-type")).toBe("text/x-a");
    expect(await got.text()).toBe("hello");
  });

  test("is generated if it was not uploaded", async () => {
    const server = await mock(SHOP);
    const target = "http://mock.test/shop/v1/items/x?alt=media";
    const first = await (await server.fetch(target)).text();
    expect(await (await server.fetch(target)).text()).toBe(first);
    expect(first.length).toBeGreaterThan(0);
  });
});

test("completes operations without an error", async () => {
  const server = await press();
  const { body } = await call(server, "POST", `${BOOKS}/b1:print`);
  expect(body).toMatchObject({ done: true });
  expect(body).not.toHaveProperty("error");
});

/** API whose operations have a status, with a progress of the given schema. */
function cluster(progress: object, status: object): Promise<Mock> {
  const text = { type: "string" };
  const operation = { $ref: "Operation" };
  const spec = description({
    name: "clusters",
    schemas: {
      Operation: {
        id: "Operation",
        type: "object",
        properties: {
          name: text,
          selfLink: text,
          status,
          progress,
          error: { $ref: "Progress" },
        },
      },
      Progress: {
        id: "Progress",
        type: "object",
        properties: { name: text, stages: { type: "integer" } },
      },
    },
    resources: {
      clusters: {
        methods: {
          create: {
            id: "clusters.create",
            path: "v1/clusters",
            httpMethod: "POST",
            response: operation,
          },
        },
      },
    },
  });
  return mock(spec, { validateResponses: true });
}

test.each([
  [{ $ref: "Progress" }, { type: "string" }, "DONE", "object"],
  [{ type: "integer" }, { type: "string", enum: ["A", "DONE"] }, "DONE", 100],
  [{ type: "number" }, { type: "string", enum: ["SUCCESS"] }, "SUCCESS", 100],
  [{ type: "string" }, { type: "string", enum: ["RUNNING"] }, "RUNNING", "100"],
])(
  "completes operations with progress %j and status %j",
  async (progress, status, expected, value) => {
    const server = await cluster(progress, status);
    const { status: code, body } = await call(server, "POST", "/v1/clusters");
    expect(code).toBe(200);
    expect(body.status).toBe(expected);
    expect(body).not.toHaveProperty("error");
    if (value === "object") expect(body.progress).toBeTypeOf("object");
    else expect(body.progress).toBe(value);
  },
);

test("works with a generated client, including streams", async () => {
  const server = await mock(path.join(ROOT, "specs/chat.v1.json"), {
    validateResponses: true,
    strict: true,
  });
  const chat = createChat({ fetch: server.fetch, auth: "key" });
  const { data } = await chat.models.list({});
  expect(data).toHaveLength(3);
  const model = await chat.models.get({ model: data![0]!.id! });
  expect(model).toEqual(data![0]);
  const requestBody = {
    model: "m",
    messages: [{ role: "user" as const, content: "hi" }],
  };
  const whole = await chat.chat.completions.create({ requestBody });
  expect(whole.choices!.length).toBeGreaterThan(0);
  const response = await server.fetch("http://mock.test/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer k" },
    body: JSON.stringify({ ...requestBody, stream: true }),
  });
  const events = (await response.text()).trim().split("\n\n");
  expect(events).toHaveLength(4);
  expect(events.at(-1)).toBe("data: [DONE]");
});

describe("several documents", () => {
  test("are distinguished by their paths", async () => {
    const specs = ["chat.v1", "marketplace.v1"].map((name) =>
      path.join(ROOT, `specs/${name}.json`),
    );
    const server = await mock(specs);
    expect((await call(server, "GET", "/v1/models")).status).toBe(200);
    expect((await call(server, "GET", "/nobody")).status).toBe(404);
  });

  test("with the same paths require a prefix", async () => {
    const chat = path.join(ROOT, "specs/chat.v1.json");
    const twice = [chat, path.join(ROOT, "test/compile/library.v1.json")];
    await expect(mock(twice)).resolves.toBeDefined();
    const folder = [chat, path.join(ROOT, "test/services/chat-twin.json")];
    await expect(mock(folder)).rejects.toThrow(MockError);
    await expect(mock(folder)).rejects.toThrow(/mock-clash/);
    const server = await mock(folder, { prefix: true });
    expect((await call(server, "GET", "/twin/v1/v1/models")).status).toBe(200);
  });
});

test("checks and returns alternatives", async () => {
  const file = path.join(ROOT, "test/cases/unions/document.json");
  const server = await mock(file);
  const boxes = "/demo/v1/boxes";
  const box = { content: [{ type: "text", text: "a" }], stop: null, same: 5 };
  const created = await call(server, "POST", boxes, box);
  expect(created.status).toBe(200);
  expect(created.body.same).toBeTypeOf("number");
  expect(["string", "object"]).toContain(typeof created.body.content);
  const refused = await call(server, "POST", boxes, { content: 42 });
  expect(refused.status).toBe(400);
  expect(refused.body.error.message).toContain(
    "must be one of string, array of Part",
  );
  const part = { type: "image", url: "u" };
  expect((await call(server, "PUT", boxes, part)).status).toBe(200);
  await server.close();
});

test("mocks unusual documents", async () => {
  const odd = description({
    schemas: {
      Node: {
        id: "Node",
        type: "object",
        properties: {
          ["__proto__"]: { type: "string" },
          constructor: { type: "string" },
          next: { $ref: "Node", annotations: { required: [] } },
          all: { type: "array", items: { $ref: "Node" } },
          by: { type: "object", additionalProperties: { $ref: "Node" } },
          "odd */ ${name}": { type: "integer", format: "uint32" },
          low: { type: "integer", minimum: "5", maximum: "5" },
        },
      },
    },
    resources: {
      ["__proto__"]: {
        methods: {
          constructor: {
            id: "demo.odd",
            path: "odd/{__proto__}",
            httpMethod: "GET",
            parameters: {
              ["__proto__"]: {
                type: "string",
                location: "path",
                required: true,
              },
            },
            response: { $ref: "Node" },
          },
        },
      },
    },
  });
  const server = await mock(odd, { validateResponses: true });
  const { status, body } = await call(server, "GET", "/odd/x");
  expect(status).toBe(200);
  expect(body.low).toBe(5);
  expect(await call(server, "GET", "/elsewhere")).toMatchObject({
    status: 404,
  });
});

test("responds with 404 for a document without methods, and refuses invalid documents", async () => {
  const server = await mock(description());
  expect((await call(server, "GET", "/")).status).toBe(404);
  await expect(mock({ kind: "other" })).rejects.toThrow(MockError);
  await expect(mock("nowhere.json")).rejects.toThrow(/source-missing/);
});

test("a field whose type is an alias of a list has sample values", async () => {
  const list = (ref: string): object => ({
    type: "array",
    items: { $ref: ref },
  });
  const server = await mock(
    description({
      schemas: {
        Page: { id: "Page", type: "object", properties: { rows: list("Row") } },
        Row: { id: "Row", ...list("Cell") },
        Cell: {
          id: "Cell",
          type: "object",
          properties: { text: { type: "string" }, page: { $ref: "Page" } },
        },
      },
      methods: {
        detect: {
          id: "demo.detect",
          path: "detect",
          httpMethod: "GET",
          response: { $ref: "Page" },
        },
      },
    }),
  );
  const { status, body } = await call(server, "GET", "/detect");
  expect(status).toBe(200);
  expect(body.rows[0][0].text).toEqual(expect.any(String));
});

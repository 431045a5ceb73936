import { beforeAll, describe, expect, test } from "vitest";
import {
  type Call,
  type Server,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { description } from "../../support/generate.js";
import { loadServer, type CreateServer } from "./generated.js";
import { library } from "./library.js";

const ROOT = "https://books.example/library/v1/books";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

/** Creates a server whose handlers return their input. */
function echo(options: ServerOptions = {}): Server {
  const given = ({ params, body }: Call): object => ({ params, body });
  return create({ books: { list: given, insert: given, get: given } }, options);
}

const json = (body: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});

async function statusOf(
  url: string,
  init: RequestInit = {},
  options: ServerOptions = {},
): Promise<number> {
  return (await echo(options).fetch(new Request(url, init))).status;
}

describe("numbers", () => {
  test.each([
    ["ratio=1e308", 200],
    ["ratio=1e999", 400],
    ["ratio=-1e999", 400],
    [`ratio=${"9".repeat(400)}`, 400],
    ["since=9223372036854775807", 200],
    ["since=9223372036854775808", 400],
    [`since=${"9".repeat(5000)}`, 400],
    ["pageSize=1e1", 400],
  ])("parameter %.30s", async (query, status) => {
    expect(await statusOf(`${ROOT}?q=1&${query}`)).toBe(status);
  });

  test.each([
    ["1", 200],
    ["1e999", 400],
    ["2147483648", 400],
    ["1.5", 400],
    ["-0", 200],
    ["1e400000", 400],
  ])("member of a body: %s", async (pages, status) => {
    const body = `{"title":"T","pages":${pages}}`;
    expect(await statusOf(ROOT, json(body))).toBe(status);
  });

  test("an integer beyond 2^53 is not an ID", async () => {
    const { fetch } = (
      await loadServer(
        description({
          name: "demo",
          methods: {
            get: {
              id: "demo.get",
              path: "things/{id}",
              httpMethod: "GET",
              parameters: {
                id: { type: "integer", location: "path", required: true },
              },
              response: { $ref: "Thing" },
            },
          },
          schemas: { Thing: { id: "Thing", type: "object" } },
        }),
      )
    )({ get: ({ params }: Call) => params });
    const ask = async (id: string): Promise<[number, string]> => {
      const url = `https://api.example/things/${id}`;
      const answer = await fetch(new Request(url));
      return [answer.status, await answer.text()];
    };
    expect(await ask("9007199254740991")).toEqual([
      200,
      '{"id":9007199254740991}',
    ]);
    expect((await ask("9007199254740993"))[0]).toBe(400);
  });
});

describe("names that every object inherits", () => {
  test("__proto__ in a body is a regular member", async () => {
    const evil = '{"__proto__":{"title":"T","polluted":1},"constructor":{}}';
    expect(await statusOf(ROOT, json(evil))).toBe(400);
    const body = `{"title":"T","__proto__":{"polluted":1}}`;
    const answer = await echo().fetch(new Request(ROOT, json(body)));
    expect(await answer.text()).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a selection of __proto__ does not select the prototype", async () => {
    const url = `${ROOT}/1?fields=__proto__,constructor/name,toString`;
    const answer = await echo().fetch(new Request(url));
    expect(await answer.text()).toBe("{}");
  });

  test("headers named __proto__ in a batch", async () => {
    const call =
      "--B\r\n\r\nGET /library/v1/books/1 HTTP/1.1\r\n__proto__: x\r\nconstructor: y\r\n\r\n";
    const answer = await batch(`${call}--B--`);
    expect(answer).toContain("HTTP/1.1 200 OK");
  });
});

async function batch(
  body: string,
  options: ServerOptions = {},
): Promise<string> {
  const url = "https://books.example/batch/library/v1";
  const headers = { "content-type": "multipart/mixed; boundary=B" };
  const init = { method: "POST", headers, body };
  return (await echo(options).fetch(new Request(url, init))).text();
}

describe("batches", () => {
  test("a batch within a batch is an unknown path", async () => {
    const inner =
      "POST /batch/library/v1 HTTP/1.1\r\ncontent-type: multipart/mixed; boundary=C\r\n\r\n--C\r\n\r\nGET /library/v1/books/1\r\n\r\n--C--";
    const answer = await batch(`--B\r\n\r\n${inner}\r\n--B--`);
    expect(answer).toContain("HTTP/1.1 404 Not Found");
    expect(answer).not.toContain("HTTP/1.1 200");
  });

  test("limits the calls and the lines of a call", async () => {
    const call = "--B\r\n\r\nGET /library/v1/books/1\r\n\r\n";
    const limits = { batch: 2 };
    const few = await batch(`${call.repeat(2)}--B--`, { limits });
    expect(few.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    const many = await batch(`${call.repeat(3)}--B--`, { limits });
    expect(many).toContain("at most 2 calls");
    const long = `--B\r\n\r\nGET /library/v1/books/1\r\n${"a: b\r\n".repeat(500)}\r\n--B--`;
    expect(await batch(long)).toContain("The part is not an HTTP request.");
  });
});

describe("limits", () => {
  test("many parameters, known and unknown, and many segments", async () => {
    const many = "tag=x&".repeat(50_000);
    expect(await statusOf(`${ROOT}?q=1&${many}`)).toBe(200);
    const bad = "isNew=maybe&".repeat(50_000);
    const answer = await echo().fetch(new Request(`${ROOT}?q=1&${bad}`));
    const { error } = (await answer.json()) as { error: { errors: object[] } };
    expect(error.errors.length).toBeLessThanOrEqual(100);
    expect(await statusOf(`${ROOT}/${"a/".repeat(10_000)}`)).toBe(404);
  });

  test.each([
    ["[".repeat(100_000)],
    ['{"a":'.repeat(100_000)],
    [`{"title":"T","x":${"[".repeat(101)}${"]".repeat(101)}}`],
  ])("depth of JSON, %#", async (body) => {
    expect(await statusOf(ROOT, json(body))).toBe(400);
  });

  test("depth of a selection", async () => {
    const deep = `${ROOT}/1?fields=${"a(".repeat(1000)}b${")".repeat(1000)}`;
    expect(await statusOf(deep)).toBe(400);
    const path = `${ROOT}/1?fields=${"a/".repeat(1000)}b`;
    expect(await statusOf(path)).toBe(400);
  });

  test("a form instead of a query", async () => {
    const init = {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-http-method-override": "GET",
      },
      body: `q=${"x".repeat(2000)}`,
    };
    const limits = { body: 1000 };
    expect(await statusOf(ROOT, init, { limits })).toBe(413);
    expect(await statusOf(ROOT, init)).toBe(200);
  });
});

test("a variable that occurs twice in a path must have one value", async () => {
  const createTwice = await loadServer(
    description({
      name: "demo",
      methods: {
        get: {
          id: "demo.get",
          path: "a/{id}/b/{id}",
          httpMethod: "GET",
          parameters: {
            id: { type: "string", location: "path", required: true },
          },
          response: { $ref: "Thing" },
        },
      },
      schemas: { Thing: { id: "Thing", type: "object" } },
    }),
  );
  const server = createTwice({ get: ({ params }: Call) => params });
  const ask = async (path: string): Promise<number> =>
    (await server.fetch(new Request(`https://api.example/${path}`))).status;
  expect(await ask("a/1/b/1")).toBe(200);
  expect(await ask("a/1/b/2")).toBe(400);
});

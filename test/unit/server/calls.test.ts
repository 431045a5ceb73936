import { beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  reply,
  type Call,
  type LogEntry,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { loadServer, type CreateServer } from "./generated.js";
import { library } from "./library.js";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

/** JSON with a structure known to the test. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Loose = any;

const ROOT = "https://books.example/library/v1/";

/** Sends a request to a server whose handlers return their input. */
async function send(
  path: string,
  init: RequestInit = {},
  options: ServerOptions = {},
  answer: (call: Call) => unknown = echo,
): Promise<{ status: number; headers: Headers; body: Loose }> {
  const books = Object.fromEntries(
    ["list", "get", "insert", "patch", "delete"].map((name) => [name, answer]),
  );
  const server = create({ books }, options);
  const response = await server.fetch(new Request(ROOT + path, init));
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson === true && text !== "" ? JSON.parse(text) : text,
  };
}

function echo({ method, params, body, auth }: Call): unknown {
  return { method: method.id, params, body, auth };
}

function post(
  body: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** Returns the location and reason of each error in the envelope. */
function problems(body: Loose): [string, string][] {
  return body.error.errors.map((one: Loose) => [one.location, one.reason]);
}

describe("parameters", () => {
  test("are decoded by their types, with defaults", async () => {
    const query =
      "q=a+b%26&tag=x&tag=y&since=-9007199254740993&ratio=1e-3&isNew=false&code=abc&order=title";
    const { body } = await send(`books?${query}`);
    expect(body.params).toEqual({
      q: "a b&",
      tag: ["x", "y"],
      since: "-9007199254740993",
      ratio: 0.001,
      isNew: false,
      code: "abc",
      order: "title",
      pageSize: 10,
      alt: "json",
      prettyPrint: true,
    });
  });

  test.each([
    ["books", "q", "required"],
    ["books?q=1&pageSize=0", "pageSize", "invalidParameter"],
    ["books?q=1&pageSize=101", "pageSize", "invalidParameter"],
    ["books?q=1&pageSize=1.5", "pageSize", "invalidParameter"],
    ["books?q=1&pageSize=", "pageSize", "invalidParameter"],
    ["books?q=1&pageSize=1&pageSize=2", "pageSize", "invalidParameter"],
    ["books?q=1&order=colour", "order", "invalidParameter"],
    ["books?q=1&since=9223372036854775808", "since", "invalidParameter"],
    ["books?q=1&ratio=0x10", "ratio", "invalidParameter"],
    ["books?q=1&isNew=maybe", "isNew", "invalidParameter"],
    ["books?q=1&code=ABC", "code", "invalidParameter"],
    ["books?q=%zz", "query", "invalidParameter"],
  ])("%s is refused", async (path, name, reason) => {
    const { status, body } = await send(path);
    expect(status).toBe(400);
    expect(problems(body)).toContainEqual([name, reason]);
    expect(body.error.status).toBe("INVALID_ARGUMENT");
    expect(body.error.details[0]["@type"]).toContain("BadRequest");
  });

  test("all errors are reported at once", async () => {
    const { body } = await send("books?pageSize=x&order=y");
    expect(problems(body).map(([name]) => name)).toEqual([
      "pageSize",
      "order",
      "q",
    ]);
  });

  test("unknown names and values follow the options", async () => {
    expect((await send("books?q=1&pp=0")).status).toBe(200);
    const strict = { unknownParameters: "reject" } as const;
    expect((await send("books?q=1&pp=0", {}, strict)).status).toBe(400);
    const open = { unknownEnums: "accept" } as const;
    const { body } = await send("books?q=1&order=colour", {}, open);
    expect(body.params.order).toBe("colour");
  });

  test("names that every object inherits are regular names", async () => {
    const { status } = await send("books?q=1&__proto__=x&constructor=y");
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("segments are matched before they are decoded", async () => {
    const { body } = await send("books/a%2Fb%20c");
    expect(body.params.bookId).toBe("a/b c");
  });
});

describe("paths and HTTP methods", () => {
  test("unknown path, unsupported method, OPTIONS, HEAD", async () => {
    expect((await send("nothing")).status).toBe(404);
    const other = await send("books/1", { method: "PUT" });
    expect(other.status).toBe(405);
    expect(other.headers.get("allow")).toBe(
      "DELETE, GET, HEAD, PATCH, OPTIONS",
    );
    const options = await send("books", { method: "OPTIONS" });
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    const head = await send("books/1", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("a GET sent as POST because its URL is too long", async () => {
    const { body } = await send("books", {
      method: "POST",
      headers: {
        "x-http-method-override": "GET",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "q=long+text&tag=a&tag=b",
    });
    expect(body.method).toBe("library.books.list");
    expect(body.params).toMatchObject({ q: "long text", tag: ["a", "b"] });
  });

  test("a server with a base path", async () => {
    const server = create({}, { basePath: "/apis" });
    const get = async (path: string): Promise<number> =>
      (await server.fetch(new Request(`https://x.example${path}`))).status;
    expect(await get("/apis/library/v1/books/1")).toBe(501);
    expect(await get("/library/v1/books/1")).toBe(404);
  });
});

describe("bodies", () => {
  test("are decoded and passed to the handler", async () => {
    const { body } = await send(
      "books",
      post({ title: "T", pages: 3, more: 1 }),
    );
    expect(body.body).toEqual({ title: "T", pages: 3, more: 1 });
  });

  test.each([
    [{}, "title", "required"],
    [{ title: 1 }, "title", "invalid"],
    [{ title: "T", author: { born: "yesterday" } }, "author.born", "invalid"],
  ])("%j is refused", async (value, place, reason) => {
    const { status, body } = await send("books", post(value));
    expect(status).toBe(400);
    expect(problems(body)).toEqual([[place, reason]]);
  });

  test.each([
    ["{", 400],
    ["", 400],
    [`{"title":"T","x":${"[".repeat(200)}${"]".repeat(200)}}`, 400],
    [JSON.stringify({ title: "x".repeat(2000) }), 413],
  ])("%s", async (text, status) => {
    const limits = { body: 1000 };
    expect((await send("books", post(text), { limits })).status).toBe(status);
  });

  test("unsupported media types and encodings", async () => {
    const as = async (headers: Record<string, string>): Promise<number> =>
      (await send("books", post({ title: "T" }, headers))).status;
    expect(await as({ "content-type": "text/html" })).toBe(415);
    expect(await as({ "content-encoding": "br" })).toBe(415);
    expect(await as({ "content-type": "application/vnd.x+json" })).toBe(200);
  });

  test("unknown fields follow the options", async () => {
    const options = { unknownFields: "reject" } as const;
    const { status } = await send(
      "books",
      post({ title: "T", more: 1 }),
      options,
    );
    expect(status).toBe(400);
  });

  test("null clears in a PATCH", async () => {
    const init = { ...post({ author: null }), method: "PATCH" };
    expect((await send("books/1", init)).body.body).toEqual({ author: null });
    expect((await send("books", post({ title: null }))).status).toBe(400);
  });
});

describe("responses", () => {
  const book = {
    id: "1",
    title: "T",
    author: { name: "N", born: "1900-01-01" },
  };

  test.each([
    ["title", { title: "T" }],
    ["id,author/name", { id: "1", author: { name: "N" } }],
    ["id,author.name", { id: "1", author: { name: "N" } }],
    ["author(born)", { author: { born: "1900-01-01" } }],
    ["*", book],
    ["author,author/name", { author: book.author }],
    ["*/name", { id: "1", title: "T", author: { name: "N" } }],
  ])("fields=%s", async (fields, expected) => {
    const { body } = await send(
      `books/1?fields=${encodeURIComponent(fields)}`,
      {},
      {},
      () => book,
    );
    expect(body).toEqual(expected);
  });

  test("invalid selections of fields are refused", async () => {
    const { status, body } = await send(
      "books/1?fields=a(b",
      {},
      {},
      () => book,
    );
    expect(status).toBe(400);
    expect(problems(body)[0]![0]).toBe("fields");
  });

  test("are indented only on request", async () => {
    const server = create({ books: { get: () => book } });
    const text = async (query: string): Promise<string> =>
      (await server.fetch(new Request(`${ROOT}books/1${query}`))).text();
    expect(await text("")).toBe(JSON.stringify(book));
    expect(await text("?prettyPrint=true")).toBe(
      JSON.stringify(book, undefined, 2),
    );
  });

  test("explicit status and headers; no content", async () => {
    const answer = () => reply(book, { status: 201, headers: { etag: '"1"' } });
    const made = await send("books/1", {}, {}, answer);
    expect([made.status, made.headers.get("etag")]).toEqual([201, '"1"']);
    const gone = await send("books/1", { method: "DELETE" }, {}, () => {});
    expect([gone.status, gone.body]).toEqual([204, ""]);
  });

  test("304 for a matching entity tag", async () => {
    const answer = (): unknown => reply(book, { headers: { etag: '"1"' } });
    const get = (tag: string): ReturnType<typeof send> =>
      send("books/1", { headers: { "if-none-match": tag } }, {}, answer);
    const known = await get('"0", W/"1"');
    expect([known.status, known.body]).toEqual([304, ""]);
    expect(known.headers.get("etag")).toBe('"1"');
    expect((await get('"2"')).status).toBe(200);
  });

  test("are validated if the option is set", async () => {
    const errors: unknown[] = [];
    const log = ({ error }: LogEntry): void => void errors.push(error);
    const options = { validateResponses: true, log };
    const { status, body } = await send("books/1", {}, options, () => ({
      title: 1,
    }));
    expect(status).toBe(500);
    expect(body.error.message).toBe("Internal error.");
    expect(String(errors[0])).toContain("/title");
  });
});

describe("errors", () => {
  test("thrown as ApiError by a handler", async () => {
    const { status, headers, body } = await send("books/1", {}, {}, () => {
      throw new ApiError(409, "Lent out.", {
        reason: "lent",
        headers: { "x-more": "1" },
      });
    });
    expect([status, headers.get("x-more")]).toEqual([409, "1"]);
    expect(body).toEqual({
      error: {
        code: 409,
        message: "Lent out.",
        errors: [{ message: "Lent out.", domain: "global", reason: "lent" }],
        status: "ABORTED",
      },
    });
  });

  test("of any other type reveal nothing", async () => {
    const { status, body } = await send("books/1", {}, {}, () => {
      throw new Error("secret");
    });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  test("a missing handler is 501", async () => {
    const server = create({ books: { get: echo } });
    const response = await server.fetch(new Request(`${ROOT}books?q=1`));
    expect(response.status).toBe(501);
    expect((await response.json()).error.status).toBe("UNIMPLEMENTED");
  });

  test("are written by the option envelope", async () => {
    const envelope = ({ status }: ApiError): unknown => ({ oops: status });
    expect((await send("nothing", {}, { envelope })).body).toEqual({
      oops: 404,
    });
  });
});

describe("hooks", () => {
  test("authenticate receives the method's scopes; handlers receive its result", async () => {
    const authenticate: ServerOptions["authenticate"] = ({
      method,
      credential,
      key,
    }) => {
      if (credential === undefined) throw new ApiError(401, "Who are you?");
      return { ...credential, key, scopes: method.scopes };
    };
    const headers = { authorization: "TOKEN abc" };
    const { body } = await send(
      "books?q=1&key=k",
      { headers },
      { authenticate },
    );
    expect(body.auth).toEqual({
      scheme: "token",
      token: "abc",
      key: "k",
      scopes: ["https://x.example/auth/read"],
    });
    const anonymous = await send("books", {}, { authenticate });
    expect(anonymous.status).toBe(401);
    const query = await send("books?q=1&access_token=t", {}, { authenticate });
    expect(query.body.auth.token).toBe("t");
  });

  test("authorize, rateLimit, requestId, log", async () => {
    const entries: LogEntry[] = [];
    const common = {
      requestId: () => "r1",
      log: (entry: LogEntry) => void entries.push(entry),
    };
    const refused = await send(
      "books/1",
      {},
      { ...common, authorize: () => false },
    );
    expect(refused.status).toBe(403);
    const rateLimit = () => ({ retryAfter: 1.2 });
    const limited = await send("books/1", {}, { ...common, rateLimit });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([
      429,
      "2",
    ]);
    expect(limited.headers.get("x-request-id")).toBe("r1");
    expect(entries.map(({ status, method }) => [status, method?.id])).toEqual([
      [403, "library.books.get"],
      [429, "library.books.get"],
    ]);
  });

  test("CORS", async () => {
    const cors = { origins: ["https://page.example"] };
    const headers = { origin: "https://page.example" };
    const simple = await send("books/1", { headers }, { cors });
    expect(simple.headers.get("access-control-allow-origin")).toBe(
      "https://page.example",
    );
    const preflight = await send(
      "books",
      {
        method: "OPTIONS",
        headers: {
          ...headers,
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-a",
        },
      },
      { cors },
    );
    expect(preflight.headers.get("access-control-allow-headers")).toBe("x-a");
    expect(preflight.headers.get("access-control-allow-methods")).toContain(
      "POST",
    );
    const other = await send(
      "books/1",
      { headers: { origin: "https://x.example" } },
      { cors },
    );
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("closing waits for requests in flight and refuses others", async () => {
    let finish = (): void => {};
    const get = () =>
      new Promise<object>((resolve) => (finish = () => resolve({})));
    const server = create({ books: { get } });
    const first = server.fetch(new Request(`${ROOT}books/1`));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = server.close();
    expect((await server.fetch(new Request(`${ROOT}books/1`))).status).toBe(
      503,
    );
    finish();
    expect((await first).status).toBe(200);
    await closed;
  });
});

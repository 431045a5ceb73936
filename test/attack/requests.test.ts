import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { Call, ServerOptions } from "../../src/runtime/server/index.js";
import { description } from "../support/generate.js";
import { loadServer, type CreateServer } from "../unit/server/generated.js";
import { library } from "../unit/server/library.js";
import { forEachSeed, RUNS, type Choices } from "./support/seeds.js";
import { ask, RawConnection, request, serve } from "./support/servers.js";

const MB = 1024 * 1024;
const BOOKS = "/library/v1/books";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

describe("dot segments", () => {
  test("do not reach a handler, including before a custom verb", async () => {
    const files = await loadServer(files_);
    const seen: string[] = [];
    const note = ({ params }: Call): object => {
      seen.push(...(Object.values(Object(params)) as string[]));
      return {};
    };
    const server = files({ get: note, cancel: note, move: note });
    for (const name of ["..", ".", "%2e%2e", "%2E.", ".%2e", "%2e"])
      for (const target of [
        `/files/${name}`,
        `/files/${name}:cancel`,
        `/tree/a/${name}:move`,
        `/tree/${name}:move`,
        `/tree/${name}/a:move`,
      ])
        for (const method of ["GET", "POST"]) {
          const { status } = await ask(server, request(method, target));
          expect([target, status]).toEqual([target, 404]);
        }
    expect(seen).toEqual([]);
    expect((await ask(server, request("POST", "/files/a:cancel"))).status).toBe(
      200,
    );
    expect((await ask(server, request("POST", "/tree/a/b:move"))).status).toBe(
      200,
    );
    expect(seen).toEqual(["a", "a/b"]);
  });
});

const path = (name: string, pattern?: string): object => ({
  [name]: {
    type: "string",
    required: true,
    location: "path",
    ...(pattern === undefined ? {} : { pattern }),
  },
});

const files_ = description({
  name: "files",
  servicePath: "",
  schemas: { File: { id: "File", type: "object" } },
  methods: {
    get: {
      id: "files.get",
      path: "files/{id}",
      httpMethod: "GET",
      parameters: path("id"),
      response: { $ref: "File" },
    },
    cancel: {
      id: "files.cancel",
      path: "files/{id}:cancel",
      httpMethod: "POST",
      parameters: path("id"),
      response: { $ref: "File" },
    },
    move: {
      id: "files.move",
      path: "tree/{+path}:move",
      httpMethod: "POST",
      parameters: path("path", "^.*$"),
      response: { $ref: "File" },
    },
  },
});

describe("decompression bombs", () => {
  const bomb = gzipSync(new Uint8Array(200 * MB));
  const packed = { "content-encoding": "gzip" };

  test.each([
    ["JSON", { "content-type": "application/json" }, {}],
    [
      "a form instead of a query",
      {
        "content-type": "application/x-www-form-urlencoded",
        "x-http-method-override": "GET",
      },
      {},
    ],
  ])("%s", async (_, headers, options: ServerOptions) => {
    const given = ({ body }: Call): unknown => body;
    const server = create({ books: { insert: given, list: given } }, options);
    const before = process.memoryUsage().arrayBuffers;
    const made = request("POST", BOOKS, { ...headers, ...packed }, [bomb]);
    const { status } = await ask(server, made);
    expect(status).toBe(413);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MB);
  });

  test("a batch", async () => {
    const headers = {
      ...packed,
      "content-type": "multipart/mixed; boundary=B",
    };
    const made = request("POST", "/batch/library/v1", headers, [bomb]);
    expect((await ask(create({ books: {} }), made)).status).toBe(413);
  });

  test("bodies that do not match their content encoding", async () => {
    const server = create({ books: { insert: () => ({}) } });
    const whole = gzipSync('{"title":"T"}');
    for (const [encoding, body, status] of [
      ["gzip", whole, 200],
      ["gzip", whole.subarray(0, 10), 400],
      ["gzip", new Uint8Array(0), 400],
      ["gzip", '{"title":"T"}', 400],
      ["gzip, gzip", whole, 415],
      ["br", whole, 415],
      ["constructor", whole, 415],
    ] as const) {
      const headers = { "content-encoding": encoding };
      const made = request("POST", BOOKS, headers, [body]);
      expect([encoding, (await ask(server, made)).status]).toEqual([
        encoding,
        status,
      ]);
    }
  });
});

describe("host names", () => {
  test("names that are not allowed are refused before the body is read", async () => {
    let calls = 0;
    const server = create({ books: { get: () => (calls++, { id: "1" }) } });
    const port = await serve(server, { hosts: ["localhost", "127.0.0.1"] });
    const status = async (lines: string, version = "1.1"): Promise<string> => {
      const connection = new RawConnection(port);
      await connection.send(
        `GET ${BOOKS}/1 HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`,
      );
      return (await connection.until(/\r\n\r\n/)).slice(9, 12);
    };
    for (const host of ["localhost", "127.0.0.1:80", `LOCALHOST:${port}`])
      expect(await status(`Host: ${host}\r\n`)).toBe("200");
    for (const host of [
      "evil.example",
      "localhost.evil.example",
      "evil.example:80",
      "localhost:80@evil.example",
      "localhost:80:80",
      "",
    ])
      expect([host, await status(`Host: ${host}\r\n`)]).toEqual([host, "421"]);
    expect(await status("Host: evil.example\r\nHost: localhost\r\n")).not.toBe(
      "200",
    );
    expect(await status("", "1.0")).toBe("421");
    expect(calls).toBe(3);
  });
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "X"];

const TEXTS = [
  "books",
  "books:scan",
  "..",
  "%2e%2e",
  "a%2fb",
  "%",
  "%ff",
  "\u0000",
  "__proto__",
  "constructor",
  ":",
  ":scan",
  "x".repeat(2000),
  "",
  "?q=1",
  "&fields=a(b",
  "&pageSize=1e9",
  "&alt=media",
  "&upload_id=..",
  "&since=9007199254740993",
];

const BODIES = [
  "",
  "null",
  "{}",
  '{"title":"T","pages":1}',
  '{"__proto__":{"title":"x"}}',
  "[".repeat(500),
  '{"title":"\\ud800"}',
  "\ufeff{}",
  "q=1&q=2",
  "%7b",
];

/** Header values without line ends, which Node rejects. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  "content-type": [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/mixed; boundary=B",
    "multipart/related; boundary=",
    "x",
  ],
  "content-encoding": ["gzip", "identity", "br"],
  "x-http-method-override": ["GET", "DELETE", "toString"],
  origin: ["https://evil.example", "null"],
  range: ["bytes=0-", "bytes=-1", "bytes=5-1"],
  "if-none-match": ["*", '"a", W/"b"', '"'],
  "access-control-request-method": ["GET"],
  authorization: ["Bearer T", "x", ""],
};

/** Creates a random request. */
function hostile(random: Choices): {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
} {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(HEADERS))
    if (random.chance(0.3)) headers[name] = random.pick(values);
  let target = random.chance(0.8) ? "/library/v1/" : "/";
  for (let count = random.int(5); count > 0; count--)
    target += random.pick(TEXTS) + (random.chance(0.4) ? "/" : "");
  const body = random.pick(BODIES);
  return { method: random.pick(METHODS), target, headers, body };
}

const OPTIONS: ServerOptions = {
  cors: { origins: ["https://a.example"] },
  limits: { body: 5000 },
};

const given = ({ params, body }: Call): object => ({ params, body });
const service = {
  books: {
    list: given,
    get: given,
    insert: given,
    patch: given,
    delete: given,
    scan: given,
  },
};

test("seeded: random requests get a response that reveals nothing about the server", async () => {
  const server = create(service, OPTIONS);
  await forEachSeed(async (random) => {
    const { method, target, headers, body } = hostile(random);
    const made = request(method, target, headers, [body]);
    const { status, text } = await ask(server, made);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(text).not.toMatch(/node_modules|src\/runtime|TypeError|at \w+ \(/);
    expect(text.length).toBeLessThan(50_000);
  });
  expect(({} as Record<string, unknown>)["title"]).toBeUndefined();
});

test("seeded: over sockets every request and the next one get a response", async () => {
  const port = await serve(create(service, OPTIONS));
  await forEachSeed(
    async (random) => {
      const { method, target, headers, body } = hostile(random);
      const lines = Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("");
      const path = target.replace(/[^\x21-\x7e]/g, "").slice(0, 4000);
      const connection = new RawConnection(port);
      const bytes = Buffer.from(body);
      const name = method === "X" ? "POST" : method;
      await connection.send(
        `${name} ${path} HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: ${bytes.length}\r\n\r\n`,
      );
      await connection.send(bytes);
      await connection.until(/^HTTP\/1\.1 \d{3}[^]*?\r\n\r\n/);
      expect(connection.received).toMatch(/^HTTP\/1\.1 \d{3}/);
      if (/connection: close/i.test(connection.received)) return;
      await connection.send(`GET ${BOOKS}/last HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(await connection.until(/"bookId":"last"/)).toContain(
        '"bookId":"last"',
      );
    },
    Math.ceil(RUNS / 30),
  );
});

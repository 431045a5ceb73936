import { beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  content,
  type Call,
  type ServerOptions,
} from "../../src/runtime/server/index.js";
import {
  loadServer,
  spec,
  type CreateServer,
} from "../unit/server/generated.js";
import { library } from "../unit/server/library.js";
import { choices, forEachSeed, type Choices } from "./support/seeds.js";
import { ask, request, type Told } from "./support/servers.js";

const MB = 1024 * 1024;
const BATCH = "/batch/library/v1";
const HEADERS = { "content-type": "multipart/mixed; boundary=B" };

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

const call = (line: string, rest = ""): string =>
  `--B\r\ncontent-type: application/http\r\n\r\n${line}\r\n${rest}\r\n`;

function send(
  service: object,
  body: Iterable<string>,
  options: ServerOptions = {},
  headers: Record<string, string> = {},
): Promise<Told> {
  const made = request("POST", BATCH, { ...HEADERS, ...headers }, body);
  return ask(create({ books: service }, options), made);
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!);

describe("authentication of batches", () => {
  test("authenticateBatch is called before the body is read", async () => {
    const made = request("POST", BATCH, HEADERS, endless("x".repeat(1000)));
    const options: ServerOptions = {
      authenticateBatch({ credential }) {
        if (credential === undefined) throw new ApiError(401, "Who are you?");
      },
    };
    const { status } = await ask(create({ books: {} }, options), made);
    expect([status, made.taken]).toEqual([401, 0]);
  });

  test("authenticateBatch receives the credential and key of the request and its query", async () => {
    const seen: unknown[] = [];
    const options: ServerOptions = {
      authenticateBatch: ({ credential, key }) =>
        void seen.push(credential?.token, key),
    };
    const body = [call("GET /library/v1/books/1"), "--B--"];
    const headers = { ...HEADERS, authorization: "Bearer T" };
    const made = request("POST", `${BATCH}?key=K`, headers, body);
    const { status } = await ask(create({ books: {} }, options), made);
    expect([status, ...seen]).toEqual([200, "T", "K"]);
  });
});

function* endless(piece: string): Generator<string> {
  for (;;) yield piece;
}

describe("bytes of the request", () => {
  test("are counted while they arrive", async () => {
    for (const [before, piece] of [
      ["", "preamble".repeat(1000)],
      [`--B\r\n\r\nPOST /library/v1/books HTTP/1.1\r\n\r\n`, "x".repeat(8000)],
      ["--B\r\n\r\n", "GET / HTTP/1.1\r\n\r\n\r\n--B\r\n\r\n"],
    ] as const) {
      const made = request("POST", BATCH, HEADERS, glued(before, piece));
      const limits = { batchBody: MB, batch: Infinity };
      const { status } = await ask(create({ books: {} }, { limits }), made);
      expect(status).toBe(413);
      expect(made.taken).toBeLessThan(2 * MB);
    }
  });

  function* glued(before: string, piece: string): Generator<string> {
    yield before;
    yield* endless(piece);
  }

  test("of all batches have a common limit, which is released afterwards", async () => {
    const limits = { batches: 3 * MB };
    const server = create({ books: {} }, { limits });
    const waiting: (() => void)[] = [];
    const slow = (): ReturnType<typeof request> => {
      const made = request("POST", BATCH, HEADERS);
      return Object.assign(made, {
        async *chunks() {
          yield new Uint8Array(2 * MB);
          await new Promise<void>((resolve) => waiting.push(resolve));
          yield new TextEncoder().encode("\r\n--B--");
        },
      });
    };
    const first = ask(server, slow());
    while (waiting.length === 0)
      await new Promise((next) => setImmediate(next));
    const second = await ask(server, slow());
    expect([second.status, second.headers["retry-after"]]).toEqual([503, "1"]);
    waiting[0]!();
    expect((await first).status).toBe(400);
    const third = ask(server, slow());
    while (waiting.length === 1)
      await new Promise((next) => setImmediate(next));
    waiting[1]!();
    expect((await third).status).toBe(400);
  });

  test("must arrive before the timeout", async () => {
    const limits = { bodyTime: 30 };
    const made = request("POST", BATCH, HEADERS);
    const dripping = Object.assign(made, {
      async *chunks() {
        for (;;) {
          await new Promise((next) => setTimeout(next, 5));
          yield Uint8Array.of(32);
        }
      },
    });
    const { status } = await ask(create({ books: {} }, { limits }), dripping);
    expect(status).toBe(408);
  });
});

describe("bytes of the responses", () => {
  test("have a limit; further calls are not made", async () => {
    let calls = 0;
    const service = {
      get: () => (calls++, { id: "x".repeat(100_000) }),
    };
    const body = [call("GET /library/v1/books/1").repeat(1000), "--B--"];
    const limits = { batchResponses: MB };
    const { text } = await send(service, body, { limits });
    expect(statuses(text).filter((status) => status === "200")).toHaveLength(
      10,
    );
    expect(statuses(text).filter((status) => status === "413")).toHaveLength(
      990,
    );
    expect(calls).toBeLessThanOrEqual(20);
  });

  test("a thousand calls for a list of 2 MB take less than 150 MB", async () => {
    const service = {
      list: () => ({ items: [{ id: String(Math.random()).padEnd(2 * MB) }] }),
    };
    const body = [call("GET /library/v1/books?q=1").repeat(1000), "--B--"];
    const made = request("POST", BATCH, HEADERS, body);
    const server = create({ books: service });
    const before = process.memoryUsage().heapUsed;
    const response = await server.handle(made);
    const used = process.memoryUsage().heapUsed - before;
    expect(used).toBeLessThan(150 * MB);
    expect(Number(response.headers["content-length"])).toBeLessThan(40 * MB);
  });

  test("have a content length", async () => {
    const service = { get: () => ({ id: "ä€😀" }) };
    const body = [call("GET /library/v1/books/1").repeat(3), "--B--"];
    const { headers, text } = await send(service, body);
    const { length } = new TextEncoder().encode(text);
    expect(headers["content-length"]).toBe(String(length));
  });
});

describe("media and streams", () => {
  test("a download is refused before the handler runs", async () => {
    let calls = 0;
    const service = {
      get() {
        calls++;
        return content({ body: new Uint8Array(10) });
      },
    };
    const line = "GET /library/v1/books/1?alt=media HTTP/1.1";
    const { text } = await send(service, [call(line), "--B--"]);
    expect([statuses(text), calls]).toEqual([["400"], 0]);
    expect(text).toContain("must not contain uploads, downloads or streams");
  });

  test("returned content is closed unread", async () => {
    let isStopped = false;
    let made = 0;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield (made++, new Uint8Array(MB));
      } finally {
        isStopped = true;
      }
    }
    const pieces = bytes();
    const service = { get: () => content({ body: pieces }) };
    const line = "GET /library/v1/books/1 HTTP/1.1";
    const { text } = await send(service, [call(line), "--B--"]);
    expect([statuses(text), made]).toEqual([["400"], 0]);
    expect((await pieces.next()).done).toBe(true);
    expect(isStopped || made === 0).toBe(true);
  });

  test("uploads, and sessions of uploads", async () => {
    let calls = 0;
    const service = { scan: () => (calls++, {}) };
    const lines = ["media", "multipart", "resumable"].map(
      (type) =>
        `POST /upload/library/v1/books:scan?uploadType=${type} HTTP/1.1`,
    );
    lines.push("PUT /upload/library/v1/books:scan?upload_id=1 HTTP/1.1");
    const body = lines.map((line) =>
      call(line, "content-type: text/plain\r\n"),
    );
    const { text } = await send(service, [...body, "--B--"]);
    expect([statuses(text), calls]).toEqual([["400", "400", "400", "400"], 0]);
  });

  test("streams of events", async () => {
    const createChat = await loadServer(spec("chat.v1"));
    let calls = 0;
    const server = createChat({
      chat: { completions: { create: () => (calls++, {}) } },
    });
    const { batchPath } = server.api;
    const json = JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      stream: true,
    });
    const line =
      "POST /v1/chat/completions HTTP/1.1\r\nauthorization: Bearer T\r\ncontent-type: application/json";
    const body = [call(line, `\r\n${json}`), "--B--"];
    const made = request("POST", `/${batchPath}`, HEADERS, body);
    const { text } = await ask(server, made);
    expect([statuses(text), calls]).toEqual([["400"], 0]);
  });
});

test("many small chunks and spaces take linear time", async () => {
  const cases: string[] = [
    `--B${" ".repeat(MB)}x\r\n--B--`,
    `--B\r\n${"a: b\r\n".repeat(2000)}\r\n--B--`,
    `--B\r\n\r\nGET /${"x".repeat(15_000)}\r\n\r\n--B--`,
    `${"\n--".repeat(300_000)}\r\n--B--`,
  ];
  for (const text of cases) {
    const bytes = new TextEncoder().encode(text);
    const start = performance.now();
    const pieces = function* (): Generator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 7)
        yield bytes.subarray(at, at + 7);
    };
    const made = request("POST", BATCH, HEADERS, pieces());
    await ask(create({ books: {} }), made);
    expect(performance.now() - start).toBeLessThan(5000);
  }
});

test("seeded: random batches get a response within the limits", async () => {
  let calls = 0;
  const service = {
    get: () => (calls++, { id: "1" }),
    list: () => ({ items: [{ id: "x".repeat(1000) }] }),
    insert: ({ body }: Call) => body,
    scan: () => ({}),
  };
  const limits = { batchBody: 20_000, batchResponses: 20_000, batch: 50 };
  const server = create({ books: service }, { limits });
  await forEachSeed(async (random) => {
    const { status, text } = await ask(server, hostileBatch(random));
    expect([200, 400, 413]).toContain(status);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/node_modules|src\/runtime|TypeError/);
    if (status === 200) expect(text).toMatch(/--batch_[\w-]+--$/);
  });
  expect(calls).toBeGreaterThan(0);
});

const PIECES = [
  "--B\r\n",
  "--B--",
  "\r\n",
  "\n",
  "\r",
  " \t ",
  "content-id: <a>\r\n",
  "content-type: application/http\r\n\r\n",
  "GET /library/v1/books/1 HTTP/1.1\r\n\r\n",
  "GET /library/v1/books?q=1\r\n\r\n",
  "GET http://evil.example/library/v1/books/1\r\n\r\n",
  "POST /library/v1/books\r\ncontent-type: application/json\r\n\r\n",
  "POST /batch/library/v1\r\ncontent-type: multipart/mixed; boundary=C\r\n\r\n",
  '{"title":"T"}',
  "null",
  "content-encoding: gzip\r\n",
  "content-length: 99999999999\r\n",
  "transfer-encoding: chunked\r\n",
  "x-http-method-override: GET\r\n",
  "PUT /upload/library/v1/books:scan?upload_id=1\r\n\r\n",
  "__proto__: x\r\n",
  "\0",
  "\ufffd",
];

function hostileBatch(random: Choices): ReturnType<typeof request> {
  let text = random.chance(0.8) ? "--B\r\n\r\n" : "";
  for (let count = random.int(30); count > 0; count--)
    text += random.chance(0.02)
      ? random.pick(PIECES).repeat(random.int(2000))
      : random.pick(PIECES);
  if (random.chance(0.8)) text += "\r\n--B--";
  const bytes = new TextEncoder().encode(text);
  const size = 1 + random.int(random.chance(0.5) ? 10 : 5000);
  const pieces = function* (): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size)
      yield bytes.subarray(at, at + size);
  };
  return request("POST", BATCH, HEADERS, pieces());
}

test("the same seed produces the same batch", async () => {
  const bytes = async (seed: number): Promise<string> =>
    hostileBatch(choices(seed)).text(Infinity, 0);
  expect(await bytes(7)).toBe(await bytes(7));
});

import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createClient,
  download,
  method,
  type Fetch,
  type MediaCall,
} from "../../src/runtime/client/index.js";
import { nodeTransport } from "../../src/runtime/client/node.js";
import { openMedia } from "../../src/runtime/client/open-media.js";
import { eachElement, eachEvent } from "../../src/runtime/client/stream.js";
import { forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const service = { rootUrl: "https://api.example.com/", servicePath: "" };
const make = (httpMethod: string) =>
  method({ id: "demo.call", httpMethod, path: "x", use: [download] }) as (
    ...rest: unknown[]
  ) => MediaCall<unknown>;

/** Returns a response body that fails in ways specific to bodies. */
function bodyOf({ pick, int }: Choices): () => BodyInit | null {
  return pick([
    () => null,
    () => "{}",
    () => "data: {}\n\ndata: [1",
    () => "[1,{},",
    () => "\u0000".repeat(int(100)),
    () =>
      new ReadableStream({
        pull: (controller) => controller.error(new TypeError("reset")),
      }),
    () => '{"error":{"message":"m","errors":"x"}}',
    () => "<".repeat(int(1000)),
  ]);
}

const HEADERS = [
  ["content-type", "application/json"],
  ["content-type", "text/event-stream"],
  ["content-type", ";;;"],
  ["content-range", "bytes 5-1/0"],
  ["content-length", "-1"],
  ["content-length", "99999999999"],
  ["etag", '"x"'],
  ["retry-after", "0"],
  ["retry-after-ms", "NaN"],
  ["x-should-retry", "true"],
  ["location", "https://["],
] as const;

/** Returns the outcome of a call in one of its forms. */
function outcome(
  { pick }: Choices,
  call: MediaCall<unknown>,
): Promise<unknown> {
  const all = async (pieces: AsyncIterable<unknown>) => {
    for await (const piece of pieces) void piece;
  };
  return pick<() => Promise<void>>([
    async () => void (await call),
    async () => void (await (await call.media()).text()),
    async () => void (await (await openMedia(call)).bytes()),
    () => all(eachElement(call)),
    () => all(eachEvent(call)),
  ])().then(
    () => undefined,
    (error: unknown) => error,
  );
}

it("the failing body of a changed download is discarded", async () => {
  const failing = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("reset")),
  });
  const responses = [
    new Response(null, {
      status: 206,
      headers: { etag: '"x"', "content-length": "9", "retry-after": "0" },
    }),
    new Response(failing, { status: 200 }),
  ];
  const transport: Fetch = async () => responses.shift()!;
  const retry = { attempts: 3, delay: 0, maxDelay: 0 };
  const call = make("GET")(createClient(service, { transport, retry }));
  const error = await openMedia(call)
    .then((media) => media.bytes())
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ApiError" });
});

it("fuzz: responses give values or typed errors", async () => {
  await forEachSeed(async (random: Choices) => {
    const { pick, int } = random;
    let requests = 0;
    const transport: Fetch = async () => {
      requests++;
      const status = pick([200, 200, 204, 206, 304, 400, 401, 404, 429, 503]);
      const isEmpty = status == 204 || status == 304;
      const headers = Array.from({ length: int(4) }, () => [...pick(HEADERS)]);
      const body = isEmpty ? null : bodyOf(random)();
      return new Response(body, {
        status,
        headers: headers as [string, string][],
      });
    };
    const retry = { attempts: 3, delay: 0, maxDelay: 0, budget: 1000 };
    const client = createClient(service, { transport, retry });
    const httpMethod = pick(["GET", "DELETE", "POST"]);
    const error = await outcome(random, make(httpMethod)(client));
    if (error) expect(error).toMatchObject({ name: "ApiError" });
    // Attempts of the call and of its media together.
    expect(requests).toBeLessThan(7);
  });
});

describe("over sockets", () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let rootUrl = "";
  let requests = 0;
  let answer: string | Buffer = "";
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("data", () => {
        requests++;
        socket.end(answer);
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    rootUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const transports: [string, Fetch][] = [
    ["fetch", (url, init) => fetch(url, init)],
    ["node", nodeTransport({ keepAlive: false })],
  ];
  describe.each(transports)("%s", (name, transport) => {
    const client = (more: object = {}) =>
      createClient(service, { rootUrl, transport, timeout: 5000, ...more });

    it("an error with an incomplete body is reported without a retry", async () => {
      for (const form of ["value", "media"]) {
        requests = 0;
        answer = "HTTP/1.1 404 Not Found\r\ncontent-length: 100\r\n\r\n{";
        const call = make("GET")(client());
        const result = form == "media" ? call.media() : call;
        const error = await Promise.resolve(result).catch(
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ kind: "http", status: 404 });
        expect(requests).toBe(1);
      }
    });

    it("the error body of a media request is limited", async () => {
      const bomb = gzipSync(Buffer.alloc(2 ** 24, " "));
      const head =
        "HTTP/1.1 404 X\r\nconnection: close\r\ncontent-encoding: gzip\r\n\r\n";
      answer = Buffer.concat([Buffer.from(head), bomb]);
      const call = make("GET")(client({ maxResponseSize: 2 ** 16 }));
      const error = await call.media().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: "http", status: 404, body: "" });
    });

    it("DELETE with 204 and a content encoding is sent once", async () => {
      requests = 0;
      answer =
        "HTTP/1.1 204 X\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
      expect(await make("DELETE")(client())).toBeUndefined();
      expect(requests).toBe(1);
    });

    it("fuzz: bytes give a value or a typed error", async () => {
      const lines = [
        "HTTP/1.1 200 OK",
        "HTTP/1.1 404 X",
        "HTTP/1.1 204 X",
        "HTTP/0.9",
        "content-length: 5",
        "content-length: 0",
        // Node's own fetch never settles the body of a truncated Brotli
        // response, not even after an abort.
        ...(name === "fetch" ? [] : ["content-encoding: br"]),
        "content-type: application/json",
        "connection: close",
        "transfer-encoding: chunked",
        "",
        "2\r\n{}",
        "0\r\n",
        "{}",
        "\u0000",
      ];
      await forEachSeed(
        async (random: Choices) => {
          const { pick, int, chance } = random;
          const first = chance(0.8) ? [lines[int(3)]!] : [];
          const rest = Array.from({ length: int(6) }, () => pick(lines));
          answer = [...first, ...rest, "", "{}"].join("\r\n");
          const call = make(pick(["GET", "POST"]))(
            client({ retry: { attempts: 2, delay: 0 }, timeout: 1000 }),
          );
          const error = await outcome(random, call);
          if (error) expect(error).toMatchObject({ name: "ApiError" });
        },
        Math.ceil(RUNS / 20),
      );
    });
  });
});

import http from "node:http";
import net from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  content,
  listen,
  nodeServerOptions,
  type Call,
  type Listening,
  type Server,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { loadServer, spec, type CreateServer } from "./generated.js";
import { library } from "./library.js";

let create: CreateServer;
let createChat: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
  createChat = await loadServer(spec("chat.v1"));
});

/** Documented settings with shorter timeouts. */
const SHORT = {
  headersTimeout: 200,
  keepAliveTimeout: 200,
  connectionsCheckingInterval: 50,
};

async function start(
  server: Server,
  options: object = SHORT,
): Promise<Listening<http.Server>> {
  const listening = await listen(http, server, { options });
  onTestFinished(() => listening.close(0));
  return listening;
}

const books = (service: object, options?: ServerOptions): Promise<number> =>
  start(create({ books: service }, options)).then(({ port }) => port);

const HEAD = "POST /library/v1/books HTTP/1.1\r\nHost: x\r\n";
const UPLOAD =
  "POST /upload/library/v1/books:scan?uploadType=media HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n";

/**
 * Sends chunks with a pause between them until the server closes; returns its
 * response.
 */
async function drip(
  port: number,
  pieces: Iterable<string>,
  isHalfClosed: boolean = false,
): Promise<string> {
  const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let answer = "";
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    socket.on("error", () => {});
    socket.on("end", () => ((isOver = true), socket.end()));
    socket.on("close", () => ((isOver = true), resolve()));
  });
  socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
  for (const piece of pieces) {
    if (isOver) break;
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (isHalfClosed) socket.end();
  await over;
  return answer;
}

function* endlessly(head: string, piece: string): Generator<string> {
  yield head;
  for (;;) yield piece;
}

describe("slow callers", () => {
  const limits = { bodyTime: 200, pieceTime: 200 };
  const service = {
    insert: ({ body }: Call) => body,
    scan: async ({ media }: Call) => ({
      title: String((await media!.bytes()).length),
    }),
  };

  test("headers sent byte by byte", async () => {
    const port = await books(service);
    const answer = await drip(port, endlessly(HEAD, "X-A: b\r\n"));
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
  });

  test("an idle connection", async () => {
    expect(await drip(await books(service), [])).toMatch(
      /^(?:HTTP\/1\.1 408|$)/,
    );
  });

  test("a body sent byte by byte", async () => {
    const port = await books(service, { limits });
    const head = `${HEAD}Content-Length: 1000000\r\n\r\n`;
    const answer = await drip(port, endlessly(head, " "));
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    expect(answer).toMatch(/connection: close/i);
  });

  test("an upload that stalls", async () => {
    const port = await books(service, { limits });
    const chunks = [`${UPLOAD}Content-Length: 9\r\n\r\n`, "a", "b"];
    const answer = await drip(port, chunks);
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    expect(answer).toMatch(/connection: close/i);
  });

  test("an upload may take longer than the timeout of a chunk", async () => {
    const port = await books(service, { limits });
    const head = `${UPLOAD}Connection: close\r\nContent-Length: 30\r\n\r\n`;
    const pieces = [head, ...Array.from({ length: 30 }, () => "x")];
    expect(await drip(port, pieces)).toContain('{"title":"30"}');
  });

  test("a batch that stalls", async () => {
    const port = await books(service, { limits });
    const answer = await drip(port, [
      "POST /batch/library/v1 HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/mixed; boundary=B\r\nContent-Length: 999\r\n\r\n--B\r\n",
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
  });

  test("half-closed within a body; half-closed after a complete request", async () => {
    const port = await books(service);
    const part = `${HEAD}Content-Length: 100\r\n\r\n{`;
    expect(await drip(port, [part], true)).not.toMatch(/^HTTP\/1\.1 2/);
    const whole = `${HEAD}Content-Length: 2\r\n\r\n{}`;
    const answer = await drip(port, [`${whole}`], true);
    expect(answer).toMatch(/^HTTP\/1\.1 400[^]*required/);
  });

  test("over fetch: a body that never starts, a body that stalls", async () => {
    const server = create({ books: service }, { limits });
    let isLeft = false;
    const ask = async (path: string, type: string): Promise<number> => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => void (isLeft = true),
      });
      const init = { method: "POST", headers: { "content-type": type }, body };
      const request = new Request(`https://x.example/${path}`, {
        ...init,
        duplex: "half",
      } as RequestInit);
      return (await server.fetch(request)).status;
    };
    expect(await ask("library/v1/books", "application/json")).toBe(408);
    expect(isLeft).toBe(true);
    isLeft = false;
    const upload = "upload/library/v1/books:scan?uploadType=media";
    expect(await ask(upload, "text/plain")).toBe(408);
    expect(isLeft).toBe(true);
  });
});

describe("limits of node:http", () => {
  test("headers that are too large; more headers than the limit", async () => {
    const port = await books({});
    const long = `${HEAD}X: ${"x".repeat(nodeServerOptions.maxHeaderSize)}\r\n\r\n`;
    expect(await drip(port, [long])).toMatch(/^HTTP\/1\.1 431/);
    const seen: number[] = [];
    const get = ({ request }: Call): object => {
      const { headers } = request.raw as http.IncomingMessage;
      seen.push(Object.keys(headers).length);
      return {};
    };
    const many = Array.from({ length: 500 }, (_, index) => `x${index}: 1\r\n`);
    const head = "GET /library/v1/books/1 HTTP/1.1\r\nHost: x\r\n";
    await drip(await books({ get }), [
      `${head}Connection: close\r\n${many.join("")}\r\n`,
    ]);
    expect(seen[0]).toBeLessThanOrEqual(200);
  });

  test("a connection is closed after its last request", async () => {
    const listening = await start(create({}));
    listening.node.maxRequestsPerSocket = 2;
    const head = "GET /library/v1/books/1 HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer = await drip(listening.port, [head, head]);
    expect(answer.match(/connection: close/gi)).toHaveLength(1);
  });

  test("an invalid host does not appear in URLs", async () => {
    const port = await books({});
    const answer = await drip(port, [
      'POST /upload/library/v1/books:scan?uploadType=resumable HTTP/1.1\r\nHost: evil"><x\r\nConnection: close\r\nX-Upload-Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n',
    ]);
    expect(answer).toMatch(/location: http:\/\/localhost\/upload/);
  });
});

describe("closing", () => {
  test("waits for the end of a download", async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("a");
      await held;
      yield Buffer.from("b");
    }
    const get = () => content({ body: body() });
    const listening = await start(create({ books: { get } }));
    const url = `http://127.0.0.1:${listening.port}/library/v1/books/1?alt=media`;
    const answer = await fetch(url);
    const closed = listening.close(5000);
    await expect(fetch(url)).rejects.toThrow();
    go();
    expect(await answer.text()).toBe("ab");
    await closed;
  });

  test("aborts endless events and a waiting handler", async () => {
    let isStopped = false;
    const reasons: unknown[] = [];
    async function* endless(signal: AbortSignal): AsyncGenerator<object> {
      try {
        yield { id: "1" };
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      } finally {
        isStopped = true;
      }
    }
    const server = createChat({
      chat: {
        completions: {
          create: ({ body, signal }: Call<unknown, { stream?: boolean }>) =>
            body.stream === true
              ? endless(signal)
              : new Promise((_, reject) =>
                  signal.addEventListener("abort", () => {
                    reasons.push(signal.reason);
                    reject(signal.reason as Error);
                  }),
                ),
        },
      },
    });
    const listening = await start(server);
    const ask = (stream: boolean): Promise<Response> =>
      fetch(`http://127.0.0.1:${listening.port}/v1/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: "Bearer x",
        },
        body: JSON.stringify({
          model: "m",
          messages: [{ role: "user", content: "x" }],
          stream,
        }),
      });
    const events = (await ask(true)).body!.getReader();
    // The first event arrives before the handler creates the second one.
    const { value } = await events.read();
    expect(new TextDecoder().decode(value)).toBe('data: {"id":"1"}\n\n');
    const waiting = ask(false);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = listening.close(50);
    expect((await waiting).status).toBe(503);
    expect(reasons).toMatchObject([{ status: 503 }]);
    await expect(events.read()).rejects.toThrow();
    await closed;
    expect(isStopped).toBe(true);
  });

  test("over fetch: an endless stream is closed", async () => {
    async function* stuck(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("a");
      await new Promise(() => {});
    }
    const get = () => content({ body: stuck() });
    const server = create({ books: { get } });
    const answer = await server.fetch(
      new Request("https://x.example/library/v1/books/1?alt=media"),
    );
    const text = answer.text();
    text.catch(() => {});
    await server.close(50);
    await expect(text).rejects.toThrow();
  });
});

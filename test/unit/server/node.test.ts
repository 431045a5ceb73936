import fs from "node:fs/promises";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  content,
  fileUploads,
  toNodeListener,
  type Call,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { temporaryFolder } from "../../support/paths.js";
import { loadServer, type CreateServer } from "./generated.js";
import { library } from "./library.js";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

/** Serves handlers on a port of the loopback interface; returns the port. */
async function serve(
  books: object,
  options: ServerOptions = {},
): Promise<number> {
  const server = create({ books }, options);
  const listener = http.createServer(toNodeListener(server));
  onTestFinished(() => {
    listener.close();
    listener.closeAllConnections();
  });
  await new Promise<void>((resolve) =>
    listener.listen(0, "127.0.0.1", resolve),
  );
  return (listener.address() as AddressInfo).port;
}

/** Sends raw bytes and returns the complete response. */
async function raw(port: number, ...pieces: string[]): Promise<string> {
  const socket = net.connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await closed;
  return answer;
}

const BOOKS = "/library/v1/books";

describe("over node:http", () => {
  test("calls, HEAD and chunked bodies on one connection", async () => {
    const port = await serve({
      get: ({ params }: Call<{ bookId: string }>) => ({ id: params.bookId }),
      insert: ({ body }: Call) => body,
    });
    const body = '{"title":"\u00e9"}';
    const bytes = Buffer.from(body);
    const answer = await raw(
      port,
      `GET ${BOOKS}/a%2Fb HTTP/1.1\r\nHost: x\r\n\r\n`,
      `HEAD ${BOOKS}/1 HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST ${BOOKS} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      body.slice(0, 5),
      bytes.subarray(5).toString("latin1") === "" ? "" : body.slice(5),
      `DELETE ${BOOKS}/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 501",
    ]);
    expect(answer).toContain('{"id":"a/b"}');
    expect(Buffer.from(answer, "latin1").toString()).toContain(body);
    expect(answer.match(/content-length: 10\r/g)).toHaveLength(1);
  });

  test("a body beyond the limit, with and without a declared length", async () => {
    const port = await serve({ insert: () => ({}) }, { limits: { body: 100 } });
    const announced = await raw(
      port,
      `POST ${BOOKS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`,
    );
    expect(announced).toMatch(/^HTTP\/1\.1 413/);
    const chunked = await raw(
      port,
      `POST ${BOOKS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `c8\r\n${"x".repeat(200)}\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413/);
  });

  test("a body that never arrives", async () => {
    const port = await serve(
      { insert: () => ({}) },
      { limits: { bodyTime: 50 } },
    );
    const answer = await raw(
      port,
      `POST ${BOOKS} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    expect(answer).toMatch(/connection: close/i);
  });

  test("the signal is aborted when the caller disconnects; its stream is closed", async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => (aborted = resolve));
    let isStopped = false;
    async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
      signal.addEventListener("abort", () => aborted());
      try {
        for (;;) yield new Uint8Array(100_000);
      } finally {
        isStopped = true;
      }
    }
    const port = await serve({
      get: ({ signal }: Call) => content({ body: endless(signal) }),
    });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(`GET ${BOOKS}/1?alt=media HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await gone;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isStopped).toBe(true);
  });

  test("an error after the headers closes the connection", async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      throw new Error("secret");
    }
    const port = await serve({ get: () => content({ body: breaking() }) });
    const url = `http://127.0.0.1:${port}${BOOKS}/1?alt=media`;
    const whole = fetch(url).then((response) => response.arrayBuffer());
    await expect(whole).rejects.toThrow();
  });

  test("resumable uploads in files, across a restart", async () => {
    const folder = temporaryFolder();
    const scan = async ({ media, body }: Call): Promise<object> => ({
      title: `${(body as { title: string }).title} ${Buffer.from(await media!.bytes()).toString()}`,
    });
    const start = (): Promise<number> =>
      serve({ scan }, { uploads: fileUploads({ fs, folder }) });
    const first = await start();
    const begun = await fetch(
      `http://127.0.0.1:${first}/upload/library/v1/books:scan?uploadType=resumable`,
      {
        method: "POST",
        headers: { "x-upload-content-type": "text/plain" },
        body: '{"title":"T"}',
      },
    );
    const target = new URL(begun.headers.get("location")!);
    const put = async (range: string, body: string): Promise<Response> =>
      fetch(target, {
        method: "PUT",
        headers: { "content-range": range },
        body,
        redirect: "manual",
      });
    const half = await put("bytes 0-2/6", "abc");
    expect([half.status, half.headers.get("range")]).toEqual([
      308,
      "bytes=0-2",
    ]);
    target.port = String(await start());
    expect(await (await put("bytes 3-5/6", "def")).json()).toEqual({
      title: "T abcdef",
    });
    expect(await (await put("bytes */6", "")).json()).toEqual({
      title: "T abcdef",
    });
    expect((await fetch(target, { method: "DELETE" })).status).toBe(499);
    expect((await put("bytes */6", "")).status).toBe(404);
    expect(await fs.readdir(folder)).toEqual([]);
  });
});

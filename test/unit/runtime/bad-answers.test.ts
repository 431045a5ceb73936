import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { download, type MediaCall } from "../../../src/runtime/client/media.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import type {
  ClientOptions,
  Fetch,
} from "../../../src/runtime/client/options.js";
import { failure, fullClient, make } from "./helpers.js";

/** Responses of a malicious server in bytes, by path. */
const answers: Record<string, string | Buffer> = {
  html: head(502, "text/html") + "<html><title>Bad Gateway</title><p>x</html>",
  truncated: head(200, "application/json", 100) + '{"a":',
  cut: head(200, "application/json") + '{"a":',
  "with-body": "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n{}",
  garbage: "HTTP/9 what\r\n\r\n",
  nothing: "",
  "huge-head": `HTTP/1.1 200 OK\r\nx: ${"x".repeat(2 ** 20)}\r\n\r\n{}`,
  nul: head(200, "application/json") + "\u0000",
  latin: Buffer.concat([
    Buffer.from(head(200, "application/json")),
    Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  ]),
  loop: "HTTP/1.1 302 Found\r\nlocation: /loop\r\ncontent-length: 0\r\n\r\n",
  "to-script":
    "HTTP/1.1 302 Found\r\nlocation: javascript:1\r\ncontent-length: 0\r\n\r\n",
  bomb: bomb(Buffer.alloc(2 ** 24, " ")),
  "not-gzip": head(200, "application/json", undefined, "gzip") + "{}",
};

function head(
  status: number,
  type: string,
  length?: number,
  coding?: string,
): string {
  const lines = [
    `HTTP/1.1 ${status} X`,
    `content-type: ${type}`,
    "connection: close",
    ...(length === undefined ? [] : [`content-length: ${length}`]),
    ...(coding === undefined ? [] : [`content-encoding: ${coding}`]),
  ];
  return [...lines, "", ""].join("\r\n");
}

function bomb(content: Buffer): Buffer {
  const start = head(200, "application/json", undefined, "gzip");
  return Buffer.concat([Buffer.from(start), gzipSync(content)]);
}

const sockets = new Set<Socket>();
let server: Server;
let root = "";
let requests = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      const path = /^GET \/drive\/v3\/(\S+?)[? ]|^GET \/(\S+) /.exec(
        String(data),
      );
      requests++;
      const answer = answers[path?.[1] ?? path?.[2] ?? ""] ?? "";
      if (path?.[1] === "loop" || path?.[2] === "loop") socket.write(answer);
      else socket.end(answer);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  root = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const transports: Record<string, Fetch> = {
  fetch: (url, init) => fetch(url, init),
  node: nodeTransport({ keepAlive: false }),
};

describe.each(Object.entries(transports))("over %s", (_, transport) => {
  const get = (path: string, options: ClientOptions = {}) =>
    make<MediaCall<unknown>>({ path, use: [download] })(
      fullClient(transport, {
        rootUrl: root,
        auth: "secret",
        retry: false,
        ...options,
      }),
      { access_token: "secret" },
    );

  it.each([
    ["a page of HTML", "html", "http"],
    ["JSON that is shorter than was said", "truncated", "network"],
    ["incomplete JSON", "cut", "decode"],
    ["no HTTP", "garbage", "network"],
    ["nothing", "nothing", "network"],
    ["headers of a megabyte", "huge-head", "network"],
    ["a NUL", "nul", "decode"],
    ["redirects in a circle", "loop", "network"],
    ["a redirect to a script", "to-script", "network"],
  ])("%s is an error", async (_, path, kind) => {
    const error = await failure(get(path));
    expect(error).toMatchObject({ name: "ApiError", kind });
    const shown = [error.message, error.stack, JSON.stringify(error)];
    expect(`${shown.join()} ${String(error.cause)}`).not.toContain("secret");
  });

  // The fetch of Node 20 never ends such a response; only a timeout does.
  it("invalid compressed data is an error within the timeout", async () => {
    const { kind } = await failure(get("not-gzip", { timeout: 1000 }));
    expect(["network", "timeout"]).toContain(kind);
  });

  it("a body with 204 is ignored", async () => {
    expect(await get("with-body")).toBeUndefined();
  });

  it("bytes that are not UTF-8 are replaced", async () => {
    expect(await get("latin")).toBe("\ufffd\ufffd");
  });

  it("a response above the size limit after decompression is an error without retry", async () => {
    requests = 0;
    const call = get("bomb", { maxResponseSize: 2 ** 20, retry: { delay: 1 } });
    expect(await failure(call)).toMatchObject({
      kind: "decode",
      message: expect.stringContaining("1048576 bytes"),
    });
    expect(requests).toBe(1);
    expect((await (await get("bomb").media()).bytes()).length).toBe(2 ** 24);
  });
});

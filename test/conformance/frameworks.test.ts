import { serve as serveHono } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import http, { type Server as NodeServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  ApiError,
  content,
  toExpress,
  toFastifyPlugin,
  toHono,
  toNodeListener,
  type AdapterOptions,
  type Call,
  type Server,
  type ServerOptions,
} from "../../src/runtime/server/index.js";
import { loadServer, type CreateServer } from "../unit/server/generated.js";
import { library } from "../unit/server/library.js";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

/** Request data seen by a handler. */
interface Seen {
  isStopped: boolean;
  written: number;
  onAbort: () => void;
}

const PIECE = 64 * 1024;

/** Handlers that cover everything that frameworks can break. */
function makeService(seen: Seen): object {
  async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    signal.addEventListener("abort", () => seen.onAbort());
    try {
      for (;;) {
        seen.written += PIECE;
        yield new Uint8Array(PIECE);
      }
    } finally {
      seen.isStopped = true;
    }
  }
  return {
    books: {
      get({ params, wantsContent, signal }: Call<{ bookId: string }>) {
        if (params.bookId === "none") throw new ApiError(404, "No such book.");
        if (params.bookId === "broken") throw new Error("secret");
        return wantsContent
          ? content({ body: endless(signal) })
          : { id: params.bookId };
      },
      insert: ({ body }: Call) => body,
      async scan({ media, body, request }: Call) {
        const bytes = (await media?.bytes()) ?? new Uint8Array();
        if (!/^https?:\/\//.test(request.origin)) throw new Error("no origin");
        if (request.remoteAddress === undefined && !isFetch(request.raw))
          throw new Error("no address");
        const { title = "" } = Object(body) as { title?: string };
        return { title: `${title}|${media?.contentType}|${bytes.length}` };
      },
    },
  };
}

function isFetch(raw: unknown): boolean {
  return Object(raw).arrayBuffer !== undefined;
}

/** Starts an app with the server at /api; the handler after it responds with 404 and "behind". */
type Start = (server: Server, options: AdapterOptions) => Promise<NodeServer>;

const FRAMEWORKS: Readonly<Record<string, { start: Start; base: string }>> = {
  "node:http": {
    base: "/api",
    start: async (server) =>
      http.createServer(toNodeListener(server)).listen(0, "127.0.0.1"),
  },
  "Express 5": {
    base: "",
    start: async (server, options) => {
      const app = express();
      app.use("/api", toExpress(server, options));
      app.use((_request, response) => void response.status(404).send("behind"));
      return app.listen(0, "127.0.0.1");
    },
  },
  "Express 5 behind body parsers": {
    base: "",
    start: async (server, options) => {
      const app = express();
      app.use(express.json(), express.urlencoded(), express.raw());
      app.use("/api", toExpress(server, options));
      app.use((_request, response) => void response.status(404).send("behind"));
      return app.listen(0, "127.0.0.1");
    },
  },
  "Fastify 5": {
    base: "",
    start: async (server, options) => {
      const app = fastify();
      app.setNotFoundHandler((_request, reply) =>
        reply.status(404).send("behind"),
      );
      await app.register(toFastifyPlugin(server, options), { prefix: "/api" });
      await app.listen({ port: 0, host: "127.0.0.1" });
      return app.server;
    },
  },
  "Hono 4": {
    base: "/api",
    start: async (server, options) => {
      const app = new Hono();
      app.all("/api/*", toHono(server, options));
      app.notFound((context) => context.text("behind", 404));
      return serveHono({
        fetch: app.fetch,
        port: 0,
        hostname: "127.0.0.1",
      }) as NodeServer;
    },
  },
};

describe.each(Object.entries(FRAMEWORKS))("%s", (name, { start, base }) => {
  /** Returns the URL of the API in the framework. */
  async function serve(
    seen: Partial<Seen> = {},
    options: ServerOptions = {},
    adapter: AdapterOptions = {},
  ): Promise<string> {
    const all = Object.assign(seen, {
      isStopped: false,
      written: 0,
      onAbort: seen.onAbort ?? (() => {}),
    });
    const server = create(makeService(all), { basePath: base, ...options });
    const node = await start(server, adapter);
    onTestFinished(() => {
      node.close();
      node.closeAllConnections();
    });
    if (!node.listening)
      await new Promise<void>((resolve) => node.once("listening", resolve));
    return `http://127.0.0.1:${(node.address() as AddressInfo).port}/api`;
  }

  const post = (body: BodyInit, type: string): RequestInit => ({
    method: "POST",
    headers: { "content-type": type },
    body,
  });

  test("GET, HEAD, OPTIONS", async () => {
    const url = `${await serve()}/library/v1/books/a%2Fb`;
    const got = await fetch(url);
    expect([got.status, await got.json()]).toEqual([200, { id: "a/b" }]);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const options = await fetch(url, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([
      204,
      "DELETE, GET, HEAD, PATCH, OPTIONS",
    ]);
  });

  test("bodies: JSON, malformed, too long, of a GET that is too long", async () => {
    const url = `${await serve({}, { limits: { body: 1000 } })}/library/v1/books`;
    const title = "\u00e9";
    const made = await fetch(
      url,
      post(JSON.stringify({ title }), "application/json"),
    );
    expect([made.status, await made.json()]).toEqual([200, { title }]);
    const broken = await fetch(url, post("{", "application/json"));
    expect(broken.status).toBe(400);
    const long = JSON.stringify({ title: "x".repeat(1000) });
    const refused = await fetch(url, post(long, "application/json"));
    expect(refused.status).toBe(413);
    const form = post("fields=id", "application/x-www-form-urlencoded");
    const headers = { ...form.headers, "x-http-method-override": "GET" };
    const got = await fetch(`${url}/1`, { ...form, headers });
    expect([got.status, await got.json()]).toEqual([200, { id: "1" }]);
  });

  test.each(["text/plain", "image/png"])("content alone: %s", async (type) => {
    const url = `${await serve()}/upload/library/v1/books:scan?uploadType=media`;
    const sent = await fetch(url, post("x".repeat(900), type));
    expect(await sent.json()).toEqual({ title: `|${type}|900` });
  });

  test("content in two parts", async () => {
    const url = `${await serve()}/upload/library/v1/books:scan?uploadType=multipart`;
    const body = [
      "--B\r\ncontent-type: application/json\r\n",
      '{"title":"T"}',
      "--B\r\ncontent-type: text/plain\r\n",
      "abc",
      "--B--",
    ].join("\r\n");
    const sent = await fetch(url, post(body, "multipart/related; boundary=B"));
    expect(await sent.json()).toEqual({ title: "T|text/plain|3" });
  });

  test("resumable content at the URL of the server", async () => {
    const root = await serve();
    const url = `${root}/upload/library/v1/books:scan?uploadType=resumable`;
    const begun = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-upload-content-type": "text/plain",
      },
      body: '{"title":"T"}',
    });
    const location = begun.headers.get("location") ?? "";
    expect(location.startsWith(`${root}/upload/library/v1/books`)).toBe(true);
    const put = (range: string, body: string): Promise<Response> =>
      fetch(location, {
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
    const whole = await put("bytes 3-5/6", "def");
    expect(await whole.json()).toEqual({ title: "T|text/plain|6" });
  });

  test("a batch with full paths in its parts, and encoded bodies", async () => {
    const root = await serve();
    const { pathname } = new URL(root);
    const part = (line: string): string =>
      `--B\r\ncontent-type: application/http\r\n\r\n${line}\r\n\r\n`;
    const lines = [
      `GET ${pathname}/library/v1/books/1 HTTP/1.1`,
      `GET ${root}/library/v1/books/2 HTTP/1.1`,
    ];
    const body = `${lines.map(part).join("")}--B--`;
    const type = "multipart/mixed; boundary=B";
    for (const packed of [body, gzipSync(body)]) {
      const init = post(packed, type);
      if (packed !== body)
        Object.assign(init.headers!, { "content-encoding": "gzip" });
      const answer = await fetch(`${root}/batch/library/v1`, init);
      const text = await answer.text();
      expect(text).toContain('{"id":"1"}');
      expect(text).toContain('{"id":"2"}');
    }
    const insert = post(gzipSync('{"title":"T"}'), "application/json");
    Object.assign(insert.headers!, { "content-encoding": "gzip" });
    const made = await fetch(`${root}/library/v1/books`, insert);
    expect(await made.json()).toEqual({ title: "T" });
  });

  test("a stream applies backpressure and stops with its caller", async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => (aborted = resolve));
    const seen: Partial<Seen> = { onAbort: () => aborted() };
    const url = new URL(`${await serve(seen)}/library/v1/books/1?alt=media`);
    const socket = net.connect(Number(url.port), url.hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    // Fills the buffers of the kernel; then no more data is produced.
    let before = -1;
    while (seen.written !== before) {
      before = seen.written!;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(seen.written).toBeLessThan(64 * 1024 * 1024);
    expect(seen.isStopped).toBe(false);
    socket.destroy();
    await gone;
    for (let tries = 0; !seen.isStopped! && tries < 100; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.isStopped).toBe(true);
  });

  test("failures: those of the API, and unexpected ones without details", async () => {
    const url = `${await serve()}/library/v1/books`;
    const none = await fetch(`${url}/none`);
    expect([none.status, await none.json()]).toMatchObject([
      404,
      { error: { message: "No such book.", status: "NOT_FOUND" } },
    ]);
    const broken = await fetch(`${url}/broken`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain("secret");
  });

  test("handles unknown paths, unless they are passed on", async () => {
    const own = await fetch(`${await serve()}/nothing`);
    expect([own.status, await own.json()]).toMatchObject([
      404,
      { error: { code: 404 } },
    ]);
    if (name === "node:http") return;
    const root = await serve({}, {}, { fallThrough: true });
    expect(await (await fetch(`${root}/nothing`)).text()).toBe("behind");
    // Known paths do not fall through, whatever the HTTP method.
    const other = await fetch(`${root}/library/v1/books/1`, { method: "PUT" });
    expect(other.status).toBe(405);
    expect((await fetch(`${root}/library/v1/books/1`)).status).toBe(200);
  });
});

test("Express and Fastify: origin and address follow the trust settings of the framework", async () => {
  const seen: unknown[] = [];
  const get = ({ request }: Call): object => {
    const { origin, remoteAddress } = request;
    seen.push(origin.replace(/:\d+$/, ""), remoteAddress);
    return {};
  };
  const server = create({ books: { get } });
  const ask = async (node: NodeServer): Promise<void> => {
    if (!node.listening)
      await new Promise<void>((resolve) => node.once("listening", resolve));
    onTestFinished(() => {
      node.close();
      node.closeAllConnections();
    });
    const { port } = node.address() as AddressInfo;
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "p.example",
      "x-forwarded-for": "1.2.3.4",
    };
    const url = `http://127.0.0.1:${port}/library/v1/books/1`;
    await fetch(url, { headers });
  };
  for (const isTrusted of [false, true]) {
    const app = express();
    app.set("trust proxy", isTrusted);
    app.use(toExpress(server));
    await ask(app.listen(0, "127.0.0.1"));
    const other = fastify({ trustProxy: isTrusted });
    await other.register(toFastifyPlugin(server));
    await other.listen({ port: 0, host: "127.0.0.1" });
    await ask(other.server);
  }
  const own = ["http://127.0.0.1", "127.0.0.1"];
  const told = ["https://p.example", "1.2.3.4"];
  expect(seen).toEqual([...own, ...own, ...told, ...told]);
});

test.each([
  ["/", ""],
  ["/api/", "/api"],
  ["/t/:tenant", "/t/someone-with-a-long-name"],
  ["/api", "/%61pi"],
])("Fastify: the prefix %s, called as %s", async (prefix, path) => {
  const server = create(
    { books: { insert: ({ request }: Call) => ({ title: request.mount }) } },
    {},
  );
  const app = fastify();
  await app.register(toFastifyPlugin(server), { prefix });
  const url = `${path}/library/v1/books`;
  const answer = await app.inject({
    method: "POST",
    url,
    payload: { title: "" },
  });
  expect([answer.statusCode, answer.body]).toEqual([
    200,
    JSON.stringify({ title: path }),
  ]);
  await app.close();
});

test("Hono: a body that a middleware has read", async () => {
  const server = create(
    { books: { insert: ({ body }: Call) => body } },
    { basePath: "" },
  );
  const app = new Hono();
  app.use("*", async (context, next) => {
    await context.req.json();
    await next();
  });
  app.all("*", toHono(server));
  const answer = await app.request("/library/v1/books", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"title":"T"}',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { title: "T" }]);
});

test("Express: a body that was read and dropped is an error of the app", async () => {
  const errors: unknown[] = [];
  const server = create(
    { books: { insert: ({ body }: Call) => body } },
    { log: ({ error }) => errors.push(error) },
  );
  const app = express();
  app.use((request, _response, next) => {
    request.resume().on("end", () => next());
  });
  app.use(toExpress(server));
  const node = app.listen(0, "127.0.0.1");
  onTestFinished(() => {
    node.close();
    node.closeAllConnections();
  });
  await new Promise<void>((resolve) => node.once("listening", resolve));
  const { port } = node.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/library/v1/books`, {
    method: "POST",
    body: '{"title":"T"}',
  });
  expect(answer.status).toBe(500);
  expect(String(errors[0])).toContain("The body was read before");
});

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { download, type MediaCall } from "../../../src/runtime/client/media.js";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { upload } from "../../../src/runtime/client/upload.js";
import { client, failure, fullClient, make } from "./helpers.js";

let server: Server;
let root = "";
const seen: {
  method: string;
  headers: IncomingMessage["headers"];
  body: string;
}[] = [];
const codings = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { url: early = "" } = request;
    if (early.startsWith("/early-"))
      return void response
        .writeHead(413, { connection: "close" })
        .end(() => request.destroy());
    let body = "";
    for await (const part of request) body += part;
    const { method = "", headers, url = "" } = request;
    seen.push({ method, headers, body });
    const [, kind = "", what = ""] = /(\w+)-([^?]*)/.exec(url) ?? [];
    response.setHeader("content-type", "application/json");
    response.setHeader("set-cookie", ["a=1", "b=2"]);
    if (kind == "status") response.statusCode = Number(what);
    const location = what == "loop" ? "/to-loop" : decodeURIComponent(what);
    if (kind == "to") response.writeHead(302, { location });
    if (kind == "big") return void response.end("x".repeat(Number(what)));
    if (kind == "hang") return void response.write("{");
    if (kind == "cut")
      return void response.write("{", () => response.destroy());
    if (kind == "coded") {
      response.setHeader("content-encoding", what);
      return void response.end(codings[what as "br"]('{"coded":1}'));
    }
    response.end('{"ok":"é"}');
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = make<MediaCall<any>>({ path: "x/{id}", use: [download] });
const api = (options: object = {}) =>
  client(() => Promise.reject(new Error("not fetch")), {
    rootUrl: root,
    transport: nodeTransport(),
    auth: "t",
    ...options,
  });

it("sends and receives JSON", async () => {
  const create = make({ httpMethod: "POST", path: "x", body: jsonBody });
  expect(await create(api(), { requestBody: { a: "é" } })).toEqual({ ok: "é" });
  expect(seen.at(-1)).toMatchObject({
    method: "POST",
    body: '{"a":"é"}',
    headers: { "content-length": "10", authorization: "Bearer t" },
  });
  await create(api());
  expect(seen.at(-1)?.headers["content-length"]).toBe("0");
});

it.each(Object.keys(codings))("decodes %s", async (coding) => {
  expect(await get(api(), { id: `coded-${coding}` })).toEqual({ coded: 1 });
});

it("returns bodies in all forms", async () => {
  const media = () => get(api(), { id: "a" }).media();
  expect(await (await media()).text()).toBe('{"ok":"é"}');
  expect(await (await media()).bytes()).toHaveLength(11);
  expect((await (await media()).blob()).type).toBe("application/json");
  expect(await new Response((await media()).stream).json()).toEqual({
    ok: "é",
  });
});

it("returns media larger than the buffer of a stream", async () => {
  const media = () => get(api(), { id: "big-3000000" }).media();
  expect(await (await media()).bytes()).toHaveLength(3_000_000);
  expect((await (await media()).text()).length).toBe(3_000_000);
  const { size } = await new Response((await media()).stream).blob();
  expect(size).toBe(3_000_000);
});

it("returns single headers and iterates over all", async () => {
  const { response } = await get(api(), { id: "a" }).withResponse();
  const { headers } = response;
  expect(headers.get("Content-Type")).toBe("application/json");
  expect(headers.get("constructor")).toBe(null);
  expect(headers.has("x-none")).toBe(false);
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  const all = Object.fromEntries(headers);
  expect(all).toMatchObject({ "content-type": "application/json" });
  expect([...headers.keys()]).toEqual([...new Headers(headers).keys()]);
  expect([...headers.entries()].length).toBe([...headers.values()].length);
  let count = 0;
  headers.forEach(() => count++);
  expect(count).toBe([...headers].length);
});

it("rejects a response that was incomplete before it was read", async () => {
  const response = await nodeTransport()(`${root}cut-`, { method: "GET" });
  await new Promise((done) => setTimeout(done, 50));
  await expect(response.text()).rejects.toThrow("is incomplete");
});

it("destroys a body stream if the response arrives first", async () => {
  let released = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield "x".repeat(1e6);
    } finally {
      released = true;
    }
  }
  const insert = make({
    httpMethod: "POST",
    use: [upload({ simple: "/early-" })],
  });
  const call = insert(api(), { media: { body: endless() } });
  expect(await failure(call)).toMatchObject({ kind: "http", status: 413 });
  await expect.poll(() => released).toBe(true);
});

it.each([
  ["a stream", () => Readable.from(["a", "b"]), "ab"],
  ["a Blob", () => new Blob(["ab"]), "ab"],
  ["bytes", () => Buffer.from("ab"), "ab"],
])("uploads %s", async (_, body, text) => {
  const use = [upload({ simple: "/up" })];
  const insert = make({ httpMethod: "POST", use });
  await insert(api(), { media: { body: body() } });
  expect(seen.at(-1)?.body).toBe(text);
});

it("rejects with ApiErrors", async () => {
  expect(await failure(get(api(), { id: "status-404" }))).toMatchObject({
    kind: "http",
    status: 404,
  });
  expect(await failure(get(api(), { id: "cut-" }))).toMatchObject({
    kind: "network",
  });
  const closed = api({ rootUrl: "http://127.0.0.1:1/" });
  expect(await failure(get(closed, { id: 1 }))).toMatchObject({
    kind: "network",
    cause: { code: "ECONNREFUSED" },
  });
  const hang = get(api(), { id: "hang-" }, { timeout: 20 });
  expect(await failure(hang)).toMatchObject({ kind: "timeout" });
});

it("follows a limited number of redirects, without the token to another server", async () => {
  const { port } = server.address() as AddressInfo;
  const other = `http://localhost:${port}/y`;
  const { options } = api({ retry: false });
  const full = fullClient(fetch, options);
  expect(await get(full, { id: `to-/y` })).toEqual({ ok: "é" });
  expect(seen.at(-1)?.headers.authorization).toBe("Bearer t");
  const away = await get(full, { id: `to-${other}` }).catch((e) => e);
  if (!(away instanceof Error))
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  expect(await failure(get(full, { id: "to-/to-loop" }))).toMatchObject({
    kind: "network",
    message: expect.stringContaining("redirects"),
  });
});

it("reuses connections", async () => {
  let connections = 0;
  server.on("connection", () => connections++);
  const one = api();
  for (let i = 0; i < 5; i++) await get(one, { id: "a" });
  expect(connections).toBe(1);
});

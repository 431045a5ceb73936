import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { fullClient, make } from "./helpers.js";

// Performance of the transport, measured by counting operations instead of time.

let server: Server;
let rootUrl = "";
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const isCoded = url.includes("coded");
    response.setHeader("content-type", "application/json");
    if (isCoded) response.setHeader("content-encoding", "gzip");
    const empty = /empty|204/.exec(url)?.[0];
    if (empty) return void response.writeHead(empty == "204" ? 204 : 200).end();
    response.end(isCoded ? gzipSync('{"a":1}') : '{"a":1}');
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => vi.restoreAllMocks());

it.each(["plain", "coded"])(
  "%s: no stream, no copy, no object of the web",
  async (path) => {
    const client = fullClient(fetch, {
      rootUrl,
      transport: nodeTransport(),
      auth: "t",
    });
    const made: string[] = [];
    const note = (name: string) => () => void made.push(name);
    for (const name of [
      "Response",
      "Headers",
      "ReadableStream",
      "TransformStream",
      "Blob",
      "AbortController",
    ] as const) {
      const Original = globalThis[name] as new (...rest: any[]) => object;
      vi.spyOn(globalThis, name).mockImplementation(function (...rest: any[]) {
        note(name)();
        return new Original(...rest);
      } as never);
    }
    vi.spyOn(Readable, "toWeb").mockImplementation(note("toWeb") as never);
    vi.spyOn(TextEncoder.prototype, "encode").mockImplementation(
      note("encode") as never,
    );
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    for (let i = 0; i < 3; i++)
      expect(await make({ path })(client, { q: "x" })).toEqual({ a: 1 });
    expect(made).toEqual([]);
    expect(decode).toHaveBeenCalledTimes(3);
    // The chunk from the socket, not a copy.
    for (const [bytes] of decode.mock.calls)
      expect(bytes).toBeInstanceOf(Buffer);
  },
);

it("responses have one shape without own accessors", async () => {
  const response = await nodeTransport()(rootUrl, { method: "GET" });
  const own = Object.values(Object.getOwnPropertyDescriptors(response));
  expect(own.filter(({ get }) => get)).toEqual([]);
  expect(await response.json()).toEqual({ a: 1 });
});

it.each(["coded-204", "coded-empty"])("%s has no content", async (path) => {
  const client = fullClient(fetch, { rootUrl, transport: nodeTransport() });
  const remove = make({ httpMethod: "DELETE", path });
  expect(await remove(client)).toBeUndefined();
  const response = await nodeTransport()(`${rootUrl}coded`, { method: "HEAD" });
  expect(await response.text()).toBe("");
});

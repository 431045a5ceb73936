import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { download, type MediaCall } from "../../../src/runtime/client/media.js";
import {
  openMedia,
  type OpenMediaOptions,
} from "../../../src/runtime/client/open-media.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import type { Fetch } from "../../../src/runtime/client/options.js";
import { failure, fullClient, make } from "./helpers.js";

const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i * 7));
const get = make<MediaCall<any>>({ path: "files/{id}", use: [download] });

/** Faults of the server. */
let rules: { cuts: number[]; etag?: string; changes?: boolean } = { cuts: [] };
const log: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { range = "", "if-range": condition } = request.headers;
    log.push([request.url, range, condition ?? ""].join(" ").trim());
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
    const size = content.length;
    const suffix = first === "";
    const from = suffix ? size - Number(last) : Number(first ?? 0);
    const to = suffix || !last ? size - 1 : Math.min(Number(last), size - 1);
    const etag = rules.etag ?? '"1"';
    const headers = etag ? { etag } : {};
    if (from >= size) return void response.writeHead(416).end();
    const same = !condition || (condition == etag && !rules.changes);
    const part = range && same;
    const body = part ? content.subarray(from, to + 1) : content;
    const partial = { "content-range": `bytes ${from}-${to}/${size}` };
    response.writeHead(part ? 206 : 200, {
      ...headers,
      ...(part ? partial : {}),
      "content-length": body.length,
      "content-type": "image/png",
    });
    const cut = rules.cuts.shift();
    if (cut === undefined) return void response.end(body);
    response.write(body.subarray(0, cut), () => {
      setTimeout(() => response.destroy(), 5);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each<[string, Fetch]>([
  ["fetch", (url, init) => fetch(url, init)],
  ["the node transport", nodeTransport()],
])("over %s", (_, transport) => {
  async function open(options: OpenMediaOptions, how: typeof rules) {
    rules = how;
    log.length = 0;
    const { port } = server.address() as AddressInfo;
    const rootUrl = `http://127.0.0.1:${port}/`;
    const settings = { rootUrl, retry: { delay: 1, attempts: 3 } };
    const api = fullClient(transport, settings);
    return openMedia(get(api, { id: "a" }), options);
  }

  it.each<[string, OpenMediaOptions, Buffer]>([
    ["all", {}, content],
    ["a range", { range: [10, 19] }, content.subarray(10, 20)],
    ["the rest", { range: [99_990] }, content.subarray(99_990)],
    ["the end", { range: [-7] }, content.subarray(-7)],
    ["one byte", { range: [0, 0] }, content.subarray(0, 1)],
  ])("gives %s", async (_, options, expected) => {
    const media = await open(options, { cuts: [] });
    expect(expected.equals(await media.bytes())).toBe(true);
    expect(log).toHaveLength(1);
  });

  it("continues after broken connections and reports progress", async () => {
    const seen: number[] = [];
    const media = await open(
      {
        range: [1000, 90_999],
        onProgress({ loaded, total }) {
          expect(total).toBe(90_000);
          seen.push(loaded);
        },
      },
      { cuts: [30_000, 0, 1, 20_000] },
    );
    const bytes = await media.bytes();
    expect(content.subarray(1000, 91_000).equals(bytes)).toBe(true);
    expect(log[0]).toBe("/drive/v3/files/a?alt=media bytes=1000-90999");
    expect(log[1]).toMatch(/ bytes=\d+-90999 "1"$/);
    expect(seen.at(-1)).toBe(90_000);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it.each<[string, typeof rules, string]>([
    ["no ETag", { cuts: [50_000], etag: "" }, "network"],
    ["a weak one", { cuts: [50_000], etag: 'W/"1"' }, "network"],
    ["other content", { cuts: [50_000], changes: true }, "decode"],
    ["no end of it", { cuts: [50_000, 0, 0, 0, 0] }, "network"],
  ])("ends with an error for %s", async (_, how, kind) => {
    const media = await open({}, how);
    expect(await failure(media.bytes())).toMatchObject({ kind });
  });

  it("uses the download service", async () => {
    await (await open({ service: true }, { cuts: [] })).text();
    expect(log).toEqual(["/download/drive/v3/files/a?alt=media"]);
  });

  it("rejects invalid ranges and ranges beyond the content", async () => {
    expect(
      await failure(open({ range: [200_000] }, { cuts: [] })),
    ).toMatchObject({ kind: "http", status: 416 });
    expect(await failure(open({ range: [5, 1] }, { cuts: [] }))).toMatchObject({
      kind: "request",
    });
  });
});

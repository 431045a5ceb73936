// Uploads a stream in a separate process and prints the additional MiB of
// memory. Node's fetch keeps all bytes of a request until it ends (Node 20.20),
// so it is used for chunks only.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../../src/runtime/client/client.js";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import { method } from "../../../src/runtime/client/method.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { upload } from "../../../src/runtime/client/upload.js";

const mebibytes = Number(process.argv[2]);

/** Bytes of heap and buffers before the current upload, and their maximum since. */
let [before, peak] = [0, 0];

/** Returns the bytes without garbage: V8 collects buffers only after 64 MiB. */
function used(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function sample(): void {
  peak = Math.max(peak, used() - before);
}

const server = createServer((request, response) => {
  sample();
  request.resume().on("end", () => {
    sample();
    const range = request.headers["content-range"] ?? "";
    const [, last, total] = /-(\d+)\/(\d+|\*)/.exec(range) ?? [];
    const { host } = request.headers;
    if (request.url!.includes("uploadType=resumable"))
      response.setHeader("location", `http://${host}/session`);
    else if (last && Number(last) + 1 != Number(total))
      response.writeHead(308, { range: `bytes=0-${last}` });
    response.end();
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address() as AddressInfo;
const service = {
  name: "drive",
  version: "v3",
  servicePath: "",
  rootUrl: `http://127.0.0.1:${port}/`,
};
const insert = method({
  id: "insert",
  httpMethod: "POST",
  path: "files",
  body: jsonBody,
  use: [upload({ simple: "/upload", resumable: "/upload", multipart: true })],
});

/**
 * Yields the same chunk repeatedly, to create no garbage itself. Memory is measured at
 * each second MiB, so that an upload that keeps its content is seen on any machine.
 */
async function* content(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(65536);
  for (let at = 0; at < mebibytes * 16; at++) {
    if (at % 64 === 0) sample();
    yield piece;
  }
  sample();
}

/** Returns the maximum additional MiB of heap and buffers during a task. */
async function peakOf(work: () => PromiseLike<unknown>): Promise<number> {
  [before, peak] = [used(), 0];
  await work();
  return Math.round(peak / 2 ** 20);
}

const peaks: Record<string, number> = {};
for (const [kind, transport] of [
  ["resumable", undefined],
  ["media", nodeTransport()],
  ["multipart", nodeTransport()],
  ["resumable", nodeTransport()],
] as const) {
  const client = createClient(service, { transport });
  const requestBody = kind == "media" ? undefined : {};
  const media = { body: content() };
  const name = `${kind} over ${transport ? "node" : "fetch"}`;
  peaks[name] = await peakOf(() =>
    insert(client, { requestBody, media }, { upload: kind }),
  );
}
console.log(JSON.stringify(peaks));
server.closeAllConnections();
server.close();
process.exit();

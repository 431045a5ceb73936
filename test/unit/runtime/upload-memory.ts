// Uploads MiB of a stream, in a process of its own; prints the extra MiB that it took.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../../../src/runtime/client/client.js";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import { method } from "../../../src/runtime/client/method.js";
import { upload } from "../../../src/runtime/client/upload.js";

const mebibytes = Number(process.argv[2]);
const server = createServer((request, response) => {
  request.resume().on("end", () => {
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
const client = createClient({
  name: "drive",
  version: "v3",
  rootUrl: `http://127.0.0.1:${port}/`,
  servicePath: "",
});
const insert = method({
  id: "insert",
  verb: "POST",
  path: "files",
  body: jsonBody,
  use: [upload({ simple: "/upload", resumable: "/upload", multipart: true })],
});

async function* content(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < mebibytes * 16; at++) yield new Uint8Array(65536);
}

/** Extra MiB at most of heap, buffers and the like while something goes on. */
async function peakOf(work: () => PromiseLike<unknown>): Promise<number> {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, used() - before)), 5);
  await work();
  clearInterval(timer);
  return Math.round(peak / 2 ** 20);
}

const peaks: Record<string, number> = {};
for (const kind of ["media", "multipart", "resumable"]) {
  const requestBody = kind == "media" ? undefined : {};
  const media = { body: content() };
  peaks[kind] = await peakOf(() =>
    insert(client, { requestBody, media }, { upload: kind }),
  );
}
console.log(JSON.stringify(peaks));
server.close();
server.closeAllConnections();

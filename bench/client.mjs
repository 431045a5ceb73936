// What a call costs: CPU over a fetch that does nothing, against the same fetch
// with a URL built by hand; and requests over loopback, 16 in flight, over fetch
// and over the node transport. Usage: node bench/client.mjs [calls] [requests]
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const calls = Number(process.argv[2] ?? 20_000);
const requests = Number(process.argv[3] ?? 4000);
const folder = mkdtempSync(path.join(tmpdir(), "bench-client-"));
const outfile = path.join(folder, "client.mjs");
await build({
  stdin: {
    contents: ["client", "method", "media", "node", "paging"]
      .map((name) => `export * from "./src/runtime/client/${name}.ts";`)
      .join("\n"),
    resolveDir: path.resolve(import.meta.dirname, ".."),
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile,
});
const runtime = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });
const { createClient, method, nodeTransport, download } = runtime;

const get = method({
  id: "drive.files.get",
  path: "files/{fileId}",
  use: [download],
});
const clientOf = (options) =>
  createClient(
    {
      rootUrl: "https://www.googleapis.com/",
      servicePath: "drive/v3/",
    },
    { auth: () => "token", ...options },
  );

const text = JSON.stringify({ kind: "drive#file", id: "a", name: "b" });
const nothing = async () =>
  new Response(text, { headers: { "content-type": "application/json" } });

/** Microseconds of CPU for each call, the best of some rounds. */
async function cost(work) {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i++) await work(i);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

const client = clientOf({ fetch: nothing });
const controller = new AbortController();
const byHand = await cost(async (i) => {
  const url = `https://www.googleapis.com/drive/v3/files/${encodeURIComponent(`f${i}`)}?${new URLSearchParams({ fields: "id,name" })}`;
  const response = await nothing(url, {
    headers: new Headers({ authorization: "Bearer token" }),
    signal: controller.signal,
  });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
});
const ours = await cost((i) =>
  get(client, { fileId: `f${i}`, fields: "id,name" }),
);
console.log(
  `CPU per call: ${ours.toFixed(1)} µs, by hand ${byHand.toFixed(1)} µs: ${(ours / byHand).toFixed(2)} ×`,
);

const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json").end(text);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const rootUrl = `http://127.0.0.1:${server.address().port}/`;

/** Sends all requests, 16 in flight. */
async function load(options) {
  const api = clientOf({ rootUrl, ...options });
  let left = requests;
  const one = async () => {
    while (left-- > 0) await get(api, { fileId: "a", fields: "id" });
  };
  const before = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: 16 }, one));
  const seconds = (performance.now() - before[0]) / 1000;
  const { user, system } = process.cpuUsage(before[1]);
  const cpu = (user + system) / 1e6;
  return `${Math.round(requests / seconds)} requests/s, ${Math.round(requests / cpu)} per CPU second (server included)`;
}
for (const [name, options] of [
  ["fetch", {}],
  ["node", { transport: nodeTransport() }],
]) {
  await load(options);
  console.log(`${name}: ${await load(options)}`);
}
server.closeAllConnections();
server.close();
process.exit();

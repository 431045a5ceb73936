// Measures the directory service over a folder of documents: cold start until the
// first list, requests for each second of the server's processor time, and
// resident memory. The server runs in a separate process, bundled as it ships.
// Usage: node bench/services-directory.mjs [folder; default ../shared/corpus]
import { fork } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { figure } from "./figures.mjs";
import { median, ROOT, SHARED } from "./support.mjs";

const folder = path.resolve(process.argv[2] ?? path.join(SHARED, "corpus"));
if (!existsSync(folder)) {
  console.log(`no figures: ${folder} does not exist`);
  process.exit();
}
const LIST = "/discovery/v1/apis";
const STARTS = 7;
const CONNECTIONS = 16;
const SECONDS = 2;

mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/directory-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const app = path.join(work, "app.mjs");
await build({
  entryPoints: [path.join(ROOT, "bench/services-directory-app.mjs")],
  outfile: app,
  bundle: true,
  minifySyntax: true,
  format: "esm",
  platform: "node",
  // The UMD file of jsonc-parser can't be bundled.
  mainFields: ["module", "main"],
  target: "node20.19",
});

/** Starts the server; returns milliseconds from the start of the process to the first list. */
async function start() {
  const begin = performance.now();
  const child = fork(app, [folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const origin = await new Promise((resolve) =>
    child.stdout.once("data", (text) => resolve(String(text).trim())),
  );
  const listening = performance.now() - begin;
  const list = await get(origin + LIST);
  const ready = performance.now() - begin;
  const ask = () =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send("usage");
    });
  return { child, origin, listening, ready, list, ask };
}

function get(url, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, agent: false }, (answer) => {
        let size = 0;
        answer.on("data", (chunk) => (size += chunk.length));
        answer.on("end", () =>
          resolve({ status: answer.statusCode, headers: answer.headers, size }),
        );
      })
      .on("error", reject);
  });
}

/** Repeats a request over some connections; returns requests per second of the server's processor time. */
async function load({ origin, ask }, target, headers) {
  const { host, hostname, port } = new URL(origin);
  const lines = Object.entries({ host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const text = `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
  const before = await ask();
  const end = performance.now() + SECONDS * 1000;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      repeat(hostname, port, text, end),
    ),
  );
  const after = await ask();
  const count = counts.reduce((sum, one) => sum + one, 0);
  return (count / (after.cpu - before.cpu)) * 1e6;
}

/** Finds the end of responses by their length, which is equal for all. */
function repeat(hostname, port, text, end) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () =>
      socket.write(text),
    );
    let count = 0;
    let length;
    let seen = 0;
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      seen += chunk.length;
      length ??= lengthOf(chunk);
      if (seen < length) return;
      seen = 0;
      count++;
      if (performance.now() < end) return socket.write(text);
      socket.destroy();
      resolve(count);
    });
  });
}

function lengthOf(chunk) {
  const head = chunk.toString("latin1");
  const body = /content-length: (\d+)/i.exec(head)?.[1] ?? 0;
  return head.indexOf("\r\n\r\n") + 4 + Number(body);
}

const starts = [];
for (let round = 0; round < STARTS; round++) {
  const { child, listening, ready, ask } = await start();
  starts.push({ listening, ready, cpu: (await ask()).cpu / 1000 });
  child.kill();
}
const ms = (name) => median(starts.map((one) => one[name])).toFixed(0);
console.log(`documents                    ${readdirSync(folder).length}`);
console.log(`cold start, listening        ${ms("listening")} ms`);
console.log(`cold start, first list       ${ms("ready")} ms`);

console.log(`cold start, processor        ${ms("cpu")} ms`);

const server = await start();
const mib = async () =>
  `${((await server.ask()).rss / 2 ** 20).toFixed(0)} MiB`;
console.log(`resident at the start        ${await mib()}`);
await sleep(3000);
console.log(`resident, all checked        ${await mib()}`);
const { etag } = server.list.headers;
const rows = [
  ["list, ETag hit (304)", LIST, { "if-none-match": etag }],
  ["list, gzip", LIST, { "accept-encoding": "gzip" }],
  [`list, plain (${server.list.size >> 10} KiB)`, LIST, {}],
  ["one entry, fields", `${LIST}?name=drive&fields=items(id)`, {}],
  ["document, gzip", `${LIST}/drive/v3/rest`, { "accept-encoding": "gzip" }],
];
const rates = [];
for (const [name, target, headers] of rows) {
  const rate = await load(server, target, headers);
  rates.push([name, rate]);
  console.log(`${name.padEnd(28)} ${Math.round(rate)} requests/s and core`);
}
const list = readdirSync(folder).filter((name) => name.endsWith(".json"));
const begin = performance.now();
for (const file of list) {
  const [name, ...version] = file.slice(0, -5).split(".");
  await get(`${server.origin}${LIST}/${name}/${version.join(".")}/rest`);
}
console.log(
  `all documents in turn        ${(performance.now() - begin).toFixed(0)} ms`,
);
console.log(`resident at the end          ${await mib()}`);
const ready = starts.map((one) => one.ready);
figure("directory: cold start until the first list, ms", ready, 300);
for (const [name, rate] of rates)
  figure(`directory: ${name}, requests/s and core`, [rate], 5000, true);
const resident = (await server.ask()).rss / 2 ** 20;
figure("directory: resident at the end, MiB", [resident], 150);
server.child.kill();

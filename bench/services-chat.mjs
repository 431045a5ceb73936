// Measures the chat service in front of a back end: time to the first token, one
// request after the other, directly and through the service in alternation; 1,000
// simultaneous streams, whose chunks are counted and must be in order. Back end,
// service and client are three processes. Usage: node bench/services-chat.mjs [pairs]
import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { build } from "esbuild";
import { figure } from "./figures.mjs";
import { median, ROOT } from "./support.mjs";

const pairs = Number(process.argv[2] ?? 1000);
const STREAMS = 1000;
const CHUNKS = 50;
const PAUSE = 40;

mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/chat-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

async function bundled() {
  const outfile = path.join(work, "service.mjs");
  await build({
    entryPoints: [path.join(ROOT, "bench/services/chat-entry.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}

async function run(...args) {
  const child = fork(path.join(ROOT, "bench/services/chat-app.mjs"), args);
  const port = await new Promise((done) => child.once("message", done));
  return { child, url: `http://127.0.0.1:${port}/v1/chat/completions` };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: STREAMS });

/** Reads a stream; returns milliseconds to its first token, and the tokens. */
function stream(url, settings) {
  const body = JSON.stringify({
    model: "m",
    stream: true,
    messages: [{ role: "user", content: "Say numbers." }],
    ...settings,
  });
  const headers = {
    authorization: "Bearer bench-key",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let first;
    let text = "";
    const request = http.request(url, { method: "POST", headers, agent });
    request.on("error", reject);
    request.on("response", (response) => {
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        first ??= performance.now() - started;
        text += piece;
      });
      response.on("error", reject);
      response.on("end", () => resolve({ first, text }));
    });
    request.end(body);
  });
}

/** Returns the number of tokens that are missing or out of order. */
function faults(text, count) {
  const found = [...text.matchAll(/"content":" (\d+)"/g)].map(([, digits]) =>
    Number(digits),
  );
  const wrong = found.filter((token, index) => token !== index).length;
  const isWhole = text.endsWith("data: [DONE]\n\n");
  return wrong + Math.abs(count - found.length) + (isWhole ? 0 : 1);
}

function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

const round = (value) => value.toFixed(2);

/** Alternates both, so that a machine that slows down affects both. */
async function firstTokens(direct, through) {
  const settings = { count: 1, pause: 0 };
  const times = { direct: [], through: [], added: [] };
  for (let pair = -100; pair < pairs; pair++) {
    const { first: plain } = await stream(direct, settings);
    const { first: served } = await stream(through, settings);
    if (pair < 0) continue;
    times.direct.push(plain);
    times.through.push(served);
    times.added.push(served - plain);
  }
  return times;
}

async function manyStreams(url) {
  const settings = { count: CHUNKS, pause: PAUSE };
  const started = performance.now();
  const results = await Promise.all(
    Array.from({ length: STREAMS }, () => stream(url, settings)),
  );
  return {
    time: (performance.now() - started) / 1000,
    firsts: results.map(({ first }) => first),
    faults: results.reduce((sum, { text }) => sum + faults(text, CHUNKS), 0),
  };
}

const back = await run("back");
const service = await run(
  await bundled(),
  back.url.replace("/chat/completions", ""),
);

console.log(`\n### Time to the first token, ${pairs} pairs, ms\n`);
console.log("| way | median | p95 | p99 |\n|---|---|---|---|");
const times = await firstTokens(back.url, service.url);
for (const [way, values] of Object.entries(times))
  console.log(
    `| ${way} | ${[0.5, 0.95, 0.99].map((share) => round(at(values, share))).join(" | ")} |`,
  );

figure("chat: added until the first token, ms", [median(times.added)], 2);

console.log(
  `\n### ${STREAMS} streams at once, ${CHUNKS} chunks each, ${PAUSE} ms apart\n`,
);
console.log(
  "| way | all s | first token ms, median | p99 | chunks lost or reordered |\n|---|---|---|---|---|",
);
for (const [way, { url }] of Object.entries({
  direct: back,
  through: service,
})) {
  const { time, firsts, faults: wrong } = await manyStreams(url);
  console.log(
    `| ${way} | ${round(time)} | ${round(at(firsts, 0.5))} | ${round(at(firsts, 0.99))} | ${wrong} |`,
  );
  if (wrong > 0) process.exitCode = 1;
  if (way === "through") {
    const name = `chat: ${STREAMS} streams, chunks lost or reordered`;
    figure(name, [wrong], 0);
  }
}
agent.destroy();
service.child.disconnect();
back.child.disconnect();

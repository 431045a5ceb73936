// Measures the generated client: CPU per call over a fetch in memory; requests
// over loopback, 16 in flight; memory of streamed uploads. Each row is a process,
// in alternation (A B C A B C ...). Usage: node bench/client.mjs [rounds]
// [cpu|load|memory ...]; default: 5 rounds of all.
import { execFileSync, fork } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { canPrepare, installPeer, prepare } from "./client/prepare.mjs";
import { median, ROOT } from "./support.mjs";

const words = process.argv.slice(2);
const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? 5);
const wanted = words.filter((word) => /^[a-z]+$/.test(word));
const program = (name) => path.join(ROOT, `bench/client/${name}.mjs`);

/** Runs a row and returns the JSON that it prints. */
function measure(name, ...args) {
  const node = process.execPath;
  const command = [program(name), ...args.map(String)];
  return JSON.parse(execFileSync(node, command, { encoding: "utf8" }));
}

/** Results of rows by name, one for each round. */
function rotate(rows, one) {
  const results = Object.fromEntries(rows.map((row) => [row, []]));
  for (let round = 0; round < rounds; round++)
    for (const row of rows) results[row].push(one(row));
  return results;
}

/** Runs a function against a server in a separate process. */
async function withServer(name, work) {
  const server = fork(program(name));
  const port = await new Promise((done) => server.once("message", done));
  await work(`http://127.0.0.1:${port}/`);
  server.disconnect();
}

function cpu(work) {
  for (const method of ["get", "list"]) {
    const rows = ["by hand", "flat", "bound", "peer"];
    const results = rotate(rows, (row) =>
      measure("cpu", work, row, method, 40_000),
    );
    console.log(`\n### files.${method} over a fetch in memory\n`);
    console.log(
      "| client | CPU µs a call | ratio | limit |\n|---|---|---|---|",
    );
    for (const row of rows) {
      const own = results[row];
      const ratio = median(
        own.map((cost, at) => cost / results["by hand"][at]),
      );
      const limit = row == "flat" || row == "bound" ? "1.25" : "";
      console.log(
        `| ${row} | ${median(own).toFixed(1)} | ${ratio.toFixed(2)} | ${limit} |`,
      );
    }
  }
}

function load(work, root) {
  for (const method of ["get", "list"]) {
    const rows = ["peer", "fetch", "http", "ours fetch", "ours node"];
    const results = rotate(rows, (row) =>
      measure("load", work, row, method, root, 16_000),
    );
    console.log(`\n### files.${method} over loopback, 16 in flight\n`);
    console.log(
      "| client | requests/s | calls a CPU second | ratios to the peer | CPU to http | limit |\n|---|---|---|---|---|---|",
    );
    for (const row of rows) {
      const own = results[row];
      const [rate, perCpu] = ["rate", "perCpu"].map((key) => ({
        value: Math.round(median(own.map((one) => one[key]))),
        ratio: median(
          own.map((one, at) => one[key] / results.peer[at][key]),
        ).toFixed(2),
      }));
      const toHttp = median(
        own.map((one, at) => results.http[at].perCpu / one.perCpu),
      ).toFixed(2);
      const limit = row == "ours node" ? "3 and 3; 1.6" : "";
      console.log(
        `| ${row} | ${rate.value} | ${perCpu.value} | ${rate.ratio} and ${perCpu.ratio} | ${toHttp} | ${limit} |`,
      );
    }
  }
}

function memory(work, root) {
  console.log(
    "\n### A stream of 1 GiB, peaks in MiB over the idle process, sampled each 2 ms\n\n`used` is `heapUsed + external` of `process.memoryUsage()` (`external` includes\n`arrayBuffers`), with garbage that V8 has not looked at yet.\n",
  );
  console.log("| upload | resident | used | seconds |\n|---|---|---|---|");
  for (const [over, kind] of [
    ["fetch", "resumable"],
    ["node", "resumable"],
    ["node", "media"],
    ["node", "multipart"],
  ]) {
    const peaks = measure("memory", work, over, kind, root, 1024);
    const cells = [peaks.rss, peaks.used].map((peak) => peak.toFixed(0));
    console.log(
      `| ${kind} over ${over} | ${cells.join(" | ")} | ${peaks.seconds.toFixed(1)} |`,
    );
  }
}

if (canPrepare()) {
  const has = (name) => !wanted.length || wanted.includes(name);
  const work = await prepare();
  try {
    if (has("cpu") || has("load")) installPeer(work);
    if (has("cpu")) cpu(work);
    if (has("load")) await withServer("server", (root) => load(work, root));
    if (has("memory")) await withServer("sink", (root) => memory(work, root));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
} else console.log("bench skipped: the shared documents are missing");

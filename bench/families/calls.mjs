// Compares calls: processor time over a fetch in memory, and requests over loopback.
// Each row is a process, in alternation. Usage: node bench/families/calls.mjs [rounds]
import { execFileSync, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { BENCH, versioned } from "../install.mjs";
import { generateClients, inFolder } from "../peers.mjs";
import { ratioOf, save, spreadOf } from "../results.mjs";

const rounds = Number(process.argv[2] ?? 3);

/** Calls of a process after half as many that are not measured. */
const COUNT = { memory: 20_000, loopback: 6000 };

const LIMIT = 1.4;
const NODE_LIMIT = 1.4;

const others = () => [
  { name: versioned("openapi-fetch"), client: "openapi-fetch" },
  { name: versioned("@hey-api/openapi-ts"), client: "hey-api" },
  { name: versioned("@googleapis/drive"), client: "published" },
];

/** Rows over memory; the first is the floor. */
const inMemory = () => [
  { name: "fetch, by hand", client: "fetch", kind: "floor" },
  { name: "ours, flat function", client: "flat", kind: "ours", limit: LIMIT },
  { name: "ours, createDrive", client: "bound", kind: "ours", limit: LIMIT },
  ...others(),
];

/** Rows over loopback; the first is the floor. */
const overLoopback = () => [
  { name: "node:http, by hand", client: "http", kind: "floor" },
  { name: `${versioned("undici")} Pool, by hand`, client: "undici" },
  { name: "fetch, by hand", client: "fetch" },
  {
    name: "ours, nodeTransport()",
    client: "node",
    kind: "ours",
    limit: NODE_LIMIT,
  },
  { name: "ours, fetch", client: "bound", kind: "ours" },
  ...others(),
];

/** Bundles what the processes import as plain JavaScript. */
async function prepare(work) {
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  generateClients(work);
  const bundle = (outfile, contents) =>
    build({
      stdin: { contents, resolveDir: work, loader: "ts" },
      bundle: true,
      format: "esm",
      target: "node20.19",
      outfile: path.join(work, outfile),
    });
  await bundle(
    "ours.mjs",
    `export { createDrive } from "./ours/drive/v3/index.js";
export { createClient } from "./ours/drive/v3/service.js";
export { get, list } from "./ours/drive/v3/resources/files.js";
export { nodeTransport } from "./ours/runtime/client/node.js";`,
  );
  await bundle(
    "hey-api.mjs",
    `export { client } from "./hey-api/drive/client.gen";
export { driveFilesGet, driveFilesList } from "./hey-api/drive/sdk.gen";`,
  );
}

/** Returns the results of each row, one for each round. */
function measure(rows, ...args) {
  const results = rows.map(() => []);
  const program = path.join(BENCH, "peers/call.mjs");
  for (let round = 0; round < rounds; round++)
    rows.forEach(({ client }, index) => {
      const [work, ...rest] = args;
      const command = [program, work, client, ...rest.map(String)];
      const text = execFileSync(process.execPath, command, {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      results[index].push(JSON.parse(text));
    });
  return results;
}

/** Returns a table whose ratios are to its first row. */
function tableOf(title, rows, results, chart) {
  const values = (index, key) => results[index].map((one) => one[key]);
  const rate = {
    key: "rate",
    title: "requests/s",
    digits: 0,
    better: "higher",
  };
  const isLoopback = chart === "rate";
  return {
    title,
    label: "client",
    chart,
    columns: [
      ...(isLoopback ? [rate] : []),
      { key: "cpu", title: "CPU µs per call", digits: 1 },
      { key: "ratio", title: `CPU ÷ ${rows[0].name}`, digits: 2 },
    ],
    rows: rows.map(({ name, kind, limit }, index) => ({
      name,
      kind,
      limit,
      values: {
        ...(isLoopback && { rate: spreadOf(values(index, "rate")) }),
        cpu: spreadOf(values(index, "cpu")),
        ratio: ratioOf(values(index, "cpu"), values(0, "cpu")),
      },
    })),
  };
}

/** Runs a function with the root URL of a server in a separate process. */
async function withServer(use) {
  const server = fork(path.join(BENCH, "client/server.mjs"));
  const port = await new Promise((done) => server.once("message", done));
  const result = await use(`http://127.0.0.1:${port}/`);
  server.disconnect();
  return result;
}

await inFolder("calls", async (work) => {
  await prepare(work);
  const memory = ["get", "list"].map((method) => {
    const rows = inMemory();
    const results = measure(rows, work, method, COUNT.memory);
    const title = `files.${method}, fetch in memory`;
    return tableOf(title, rows, results, "ratio");
  });
  const loopback = await withServer((root) =>
    ["get", "list"].map((method) => {
      const rows = overLoopback();
      const results = measure(rows, work, method, COUNT.loopback, root);
      const title = `files.${method} over loopback, 16 in flight`;
      return tableOf(title, rows, results, "rate");
    }),
  );
  await save({
    family: "calls",
    title: "Calls (drive.v3)",
    tables: [...memory, ...loopback],
  });
});

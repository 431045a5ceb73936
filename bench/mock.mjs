// Measures mocks: the time until drive.v3 and compute.v1 listen, and the rate of
// requests against the generated server of drive.v3 with handlers that return the
// same responses. Usage: node bench/mock.mjs [rounds] (after npm run build)
import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { median, ROOT, SHARED } from "./support.mjs";

const ROUNDS = Number(process.argv[2] ?? 7);
const IN_FLIGHT = 16;
const MILLISECONDS = 1000;
const gen = path.join(ROOT, "bin/gen.js");
const documentOf = (api) => path.join(SHARED, `corpus/${api}.json`);
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/mock-"));
const children = [];

/** Starts a program; returns its origin, and the milliseconds until it listens. */
async function start(...args) {
  const begun = performance.now();
  // The log goes to a file, so that this process does not have to read it.
  const log = path.join(work, `${children.length}.log`);
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", openSync(log, "w"), "ignore"],
  });
  children.push(child);
  while (child.exitCode === null) {
    const text = readFileSync(log, "utf8");
    const origin = /listening on (http:\S+)/.exec(text)?.[1];
    if (origin !== undefined)
      return { child, origin, time: performance.now() - begun };
    await setTimeout(5);
  }
  throw new Error(`${args.join(" ")}: exit ${child.exitCode}`);
}

const startMock = (api) =>
  start(gen, "serve", "--mock", "--spec", documentOf(api), "--port", "0");

const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const get = (url) =>
  new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      })
      .on("error", reject);
  });

/** Returns the number of requests per second. */
async function rateOf(url) {
  const begun = performance.now();
  let count = 0;
  const worker = async () => {
    while (performance.now() < begun + MILLISECONDS) {
      const { status } = await get(url);
      if (status !== 200) throw new Error(`${url}: ${status}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (count * 1000) / (performance.now() - begun);
}

/** Starts the generated server with handlers that return the mock's responses. */
function startBare(file, list) {
  const out = path.join(work, "out");
  const args = `--out ${out} --target server --emit js`.split(" ");
  const { status, stderr } = spawnSync(process.execPath, [
    gen,
    "--spec",
    documentOf("drive.v3"),
    ...args,
  ]);
  if (status !== 0) throw new Error(String(stderr));
  const program = path.join(work, "server.mjs");
  writeFileSync(
    program,
    `import http from "node:http";
import { createDriveServer } from "./out/drive/v3/server.js";
import { toNodeListener } from "./out/runtime/server/node.js";
const file = ${file};
const list = ${list};
const server = createDriveServer({ files: { get: () => file, list: () => list } });
const host = http.createServer(toNodeListener(server));
host.listen(0, "127.0.0.1", () =>
  console.log(\`listening on http://127.0.0.1:\${host.address().port}/\`));
`,
  );
  return start(program);
}

try {
  for (const [api, limit] of [
    ["drive.v3", 300],
    ["compute.v1", 1000],
  ]) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { child, time } = await startMock(api);
      times.push(time);
      child.kill();
    }
    console.log(
      `${api}: listens after ${median(times).toFixed(0)} ms (limit ${limit} ms)`,
    );
  }
  const mock = await startMock("drive.v3");
  const paths = ["drive/v3/files/a", "drive/v3/files"];
  const urls = paths.map((target) => new URL(target, mock.origin).href);
  const [file, list] = await Promise.all(urls.map(get));
  const bare = await startBare(file.body, list.body);
  for (const target of paths) {
    const rates = { mock: [], bare: [] };
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, { origin }] of Object.entries({ mock, bare })) {
        const rate = await rateOf(new URL(target, origin));
        if (round > 0) rates[name].push(rate);
      }
    const ratio = median(rates.mock.map((rate, at) => rate / rates.bare[at]));
    const shown = (rate) => Math.round(median(rate)).toLocaleString("en");
    console.log(
      `GET ${target}: ${shown(rates.mock)} requests/s, generated server ${shown(rates.bare)}; ratio ${ratio.toFixed(2)} (limit 0.5)`,
    );
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(work, { recursive: true, force: true });
}

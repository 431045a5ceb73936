// Measures `gen --watch`: milliseconds from saving one document among all of the
// corpus until its output has changed. Usage: node bench/watch.mjs [rounds]
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median, ROOT, SHARED } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 9);
const corpus = path.join(SHARED, "corpus");
if (!existsSync(corpus)) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
const work = mkdtempSync(path.join(tmpdir(), "gen-watch-"));
const specs = path.join(work, "specs");
const out = path.join(work, "out");
mkdirSync(specs);
cpSync(corpus, specs, { recursive: true });

const child = spawn(
  process.execPath,
  [path.join(ROOT, "bin/gen.js"), "--watch", "--spec", specs, "--out", out],
  { stdio: ["ignore", "pipe", "ignore"] },
);
let printed = "";
child.stdout.on("data", (data) => (printed += data));
const runs = () => printed.split(" documents").length - 1;

async function until(condition) {
  while (!condition()) await sleep(2);
}

/** Saves another text of a document as editors do; waits for the output. */
async function change(name, folder, round) {
  const file = path.join(specs, name);
  const document = JSON.parse(readFileSync(file, "utf8"));
  const [schema] = Object.values(document.schemas);
  schema.description = `Round ${round}.`;
  writeFileSync(`${file}.tmp`, JSON.stringify(document, null, 2));
  const schemas = path.join(out, folder, "schemas.ts");
  const before = runs();
  const start = performance.now();
  renameSync(`${file}.tmp`, file);
  await until(() => readFileSync(schemas, "utf8").includes(`Round ${round}.`));
  const time = performance.now() - start;
  await until(() => runs() > before);
  await sleep(200);
  return time;
}

try {
  await until(() => runs() > 0);
  await sleep(500);
  console.log("\n### One changed document among all, gen --watch\n");
  console.log(
    "| document | ms until its output changed | slowest |\n|---|---|---|",
  );
  for (const [name, folder] of [
    ["drive.v3.json", "drive/v3"],
    ["compute.v1.json", "compute/v1"],
  ]) {
    const times = [];
    for (let round = 0; round < rounds; round++)
      times.push(await change(name, folder, round));
    console.log(
      `| ${name} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`,
    );
  }
} finally {
  child.kill("SIGKILL");
  rmSync(work, { recursive: true, force: true });
}

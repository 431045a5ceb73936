// Measures how time and memory grow with the input: one document with 1,000 to
// 100,000 schemas (0.5 to 50 MB), also with all targets, and 1, 10 and 100 copies of
// a document. Time is processor time; peak memory is that of the process: at most
// 260 MB for a document of 6 MB (10,000 schemas), and linear.
// Usage: node bench/scale.mjs [rounds]
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, ROOT, run } from "./support.mjs";
import { syntheticDocument } from "./synthetic.mjs";

const rounds = Number(process.argv[2] ?? 3);
const work = mkdtempSync(path.join(tmpdir(), "gen-scale-"));
const gen = path.join(ROOT, "bin/gen.js");

function written(name, document) {
  const file = path.join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Runs the generator several times; returns medians and the highest peak. */
function measure(files, targets = "client") {
  const runs = Array.from({ length: rounds }, (_, round) => {
    const out = path.join(work, `out-${round}`);
    const specs = files.flatMap((file) => ["--spec", file]);
    const options = ["--quiet", "--out", out, "--target", targets];
    const result = run([gen, ...options, ...specs]);
    rmSync(out, { recursive: true, force: true });
    return result;
  });
  return {
    bytes: files.reduce((total, file) => total + statSync(file).size, 0),
    wall: median(runs.map(({ wall }) => wall)),
    cpu: median(runs.map(({ cpu }) => cpu)),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  };
}

function row(title, result) {
  const { bytes, wall, cpu, peak } = result;
  const megabytes = bytes / 1e6;
  const cells = [
    title,
    megabytes.toFixed(1),
    wall.toFixed(2),
    cpu.toFixed(2),
    ((cpu * 1000) / megabytes).toFixed(0),
    peak.toFixed(0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

console.log(`
| input | MB | wall s | cpu s | cpu ms per MB | peak MiB |
|---|---|---|---|---|---|`);
try {
  for (const schemas of [1000, 10_000, 100_000]) {
    const file = written(`s${schemas}`, syntheticDocument(schemas));
    row(`${schemas} schemas, client`, measure([file]));
    const code = "client,server,validator";
    row(`${schemas} schemas, ${code}`, measure([file], code));
    const all = `${code},openapi,json-schema`;
    row(`${schemas} schemas, ${all}`, measure([file], all));
  }
  for (const count of [1, 10, 100]) {
    const files = Array.from({ length: count }, (_, index) =>
      written(`c${index}`, syntheticDocument(300, `c${index}`)),
    );
    row(`${count} documents of 300 schemas`, measure(files));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

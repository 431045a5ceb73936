// Measures generation against the floor: drive.v3, compute.v1, all documents of
// the corpus in one process, and unchanged runs. Limits are ratios of processor time.
// Usage: node bench/generate.mjs [rounds]
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { compare, ROOT, run, SHARED, table } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 9);
const corpus = path.join(SHARED, "corpus");
if (!existsSync(corpus)) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
const work = mkdtempSync(path.join(tmpdir(), "gen-bench-"));
const gen = path.join(ROOT, "bin/gen.js");
const floor = path.join(ROOT, "bench/floor.mjs");
const at = (name) => path.join(work, name);

/** Bytes of each document's output, without the runtime. */
function outputSizes(documents) {
  const sizes = {};
  for (const document of documents) {
    const out = at(`size/${path.basename(document)}`);
    run([gen, "--spec", document, "--out", out]);
    const files = readdirSync(out, {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile());
    const bytes = files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !path.relative(out, file).startsWith("runtime"));
    sizes[path.basename(document)] = bytes.reduce(
      (total, file) => total + statSync(file).size,
      0,
    );
  }
  return sizes;
}

function generation(title, documents, limit) {
  const sizes = at("sizes.json");
  writeFileSync(sizes, JSON.stringify(outputSizes(documents)));
  const id = title.replace(/\W/g, "");
  const programs = [
    {
      name: "floor",
      args: (round) => [floor, at(`${id}/floor-${round}`), sizes, ...documents],
    },
    {
      name: "gen",
      limit,
      args: (round) => [
        gen,
        "--quiet",
        "--out",
        at(`${id}/gen-${round}`),
        ...documents.flatMap((document) => ["--spec", document]),
      ],
    },
  ];
  console.log(table(title, compare(programs, rounds)));
}

function unchanged(documents) {
  const out = at("check");
  const specs = documents.flatMap((document) => ["--spec", document]);
  run([gen, "--quiet", "--out", out, ...specs]);
  const programs = [
    {
      name: "read and hash",
      args: () => [path.join(ROOT, "bench/hash-floor.mjs"), out, ...documents],
    },
    {
      name: "gen",
      limit: "4",
      args: () => [gen, "--quiet", "--out", out, ...specs],
    },
    {
      name: "gen --check",
      limit: "cold",
      args: () => [gen, "--check", "--quiet", "--out", out, ...specs],
    },
    {
      name: "gen, cold",
      args: (round) => [gen, "--quiet", "--out", at(`cold-${round}`), ...specs],
    },
  ];
  console.log(
    table(
      `nothing to do, ${documents.length} documents`,
      compare(programs, rounds),
    ),
  );
}

const all = readdirSync(corpus)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => path.join(corpus, name));
const named = (name) => [path.join(corpus, `${name}.json`)];
try {
  generation("drive.v3, cold", named("drive.v3"), "3.6");
  generation("compute.v1, cold", named("compute.v1"), "4");
  generation(`${all.length} documents, one process`, all, "6.5");
  unchanged(all);
} finally {
  rmSync(work, { recursive: true, force: true });
}

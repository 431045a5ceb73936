// Compares validators with functions that ajv compiles from the same schemas, in
// one process and in alternation (A B A B …): a ratio is the median of the ratios
// of the rounds. Values are random but equal in each run; ajv has the same formats,
// and stops at the first error, which is its default.
// Usage: node bench/validators.mjs [rounds]
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { save } from "./results.mjs";
import { median, ROOT, run, SHARED } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 41);
const corpus = path.join(SHARED, "corpus");
const SCHEMAS = [
  ["drive.v3", "File"],
  ["compute.v1", "Instance"],
  ["calendar.v3", "Event"],
  ["youtube.v3", "Video"],
  ["pubsub.v1", "PubsubMessage"],
];
const SETS = [
  ["sparse", { density: 0.1, noise: 0 }],
  ["half", { density: 0.5, noise: 0 }],
  ["full", { density: 1, noise: 0 }],
  ["invalid", { density: 0.4, noise: 0.05 }],
];
const COUNT = 100;

/** Milliseconds that both run before the measurement. */
const WARM_UP = 500;

/** Options that stop our validators at the first error too. */
const FIRST = { maxErrors: 1 };

/** Formats of the same cost as ours: a regular expression each, or only digits. */
const TIME =
  /^\d{4}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const FORMATS = {
  int64: /^-?\d{1,19}$/,
  uint64: /^\d{1,20}$/,
  byte: /^[\w+/-]*={0,2}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": TIME,
  "google-datetime": TIME,
  "google-duration": /^-?\d+(?:\.\d{1,9})?s$/,
  "google-fieldmask": /^(?:[^,]+(?:,[^,]+)*)?$/,
};

if (!existsSync(corpus)) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/validators-"));

/** Bundles and loads a module written in TypeScript. */
async function load(contents, resolveDir, name) {
  const outfile = path.join(work, `${name}.mjs`);
  const settings = { bundle: true, format: "esm", platform: "node" };
  await build({
    ...settings,
    stdin: { contents, resolveDir, loader: "ts" },
    outfile,
    external: ["ajv"],
  });
  return import(pathToFileURL(outfile));
}

async function sizeOf(contents, resolveDir) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const [{ imports }] = Object.values(metafile.outputs);
  if (imports.length > 0) throw new Error("the bundle has imports");
  const [{ contents: bytes }] = outputFiles;
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

function time(check, values) {
  const start = process.hrtime.bigint();
  for (let repeat = 0; repeat < 5; repeat++) values.forEach(check);
  return Number(process.hrtime.bigint() - start) / (5 * values.length);
}

/** Returns nanoseconds of each, and the median ratio of ajv's time to ours. */
function compare(ajv, ours, values) {
  // Small schemas need many values before their code is optimised.
  const end = performance.now() + WARM_UP;
  while (performance.now() < end) {
    time(ajv, values);
    time(ours, values);
  }
  const warm = [];
  for (let round = 0; round < rounds; round++)
    warm.push([time(ajv, values), time(ours, values)]);
  return {
    ajv: quartilesOf(warm.map(([one]) => one)),
    ours: quartilesOf(warm.map(([, one]) => one)),
    ratio: quartilesOf(warm.map(([one, other]) => one / other)),
  };
}

/** Returns median and quartiles: of many rounds, some are interrupted. */
function quartilesOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return { median: median(values), low: at(0.25), high: at(0.75) };
}

function valuesOf(id, schemas, settings, { makeValue, randomOf }, ...judges) {
  const random = randomOf(7);
  const values = [];
  const wantsValid = settings.noise === 0;
  for (let tries = 0; values.length < COUNT && tries < 10_000; tries++) {
    const made = makeValue(schemas[id], { schemas, random, ...settings });
    const value = JSON.parse(JSON.stringify(made));
    if (
      judges.every((judge) => judge(value) === wantsValid) &&
      typeof value === "object"
    )
      values.push(value);
  }
  return values;
}

/** Adds the rows of a schema; returns the row of its bundle. */
async function measure([name, id], tools, rows) {
  const [api, ...version] = name.split(".");
  const folder = path.join(work, "out", api, version.join("."));
  const entry = `export { validate${id} as validate } from "./validators.ts";`;
  const { validate } = await load(entry, folder, `${name}-${id}`);
  const file = path.join(corpus, `${name}.json`);
  const { schemas } = JSON.parse(readFileSync(file, "utf8"));
  const ajv = tools.compileWithAjv(schemas, false, { formats: FORMATS })(id);
  const ours = (value) => validate(value).valid;
  const first = (value) => validate(value, FIRST).valid;
  for (const [set, settings] of SETS) {
    const values = valuesOf(id, schemas, settings, tools, ajv, ours);
    const judge = set === "invalid" ? first : ours;
    const found = compare(ajv, judge, values);
    const row = { name: `${name} ${id}, ${set}`, kind: "ours", limit: 0.8 };
    rows.push({ ...row, values: found });
  }
  const { size } = statSync(path.join(folder, "validators.ts"));
  const { raw, gzip } = await sizeOf(entry, folder);
  return {
    name: `${name} ${id}`,
    kind: "ours",
    values: {
      raw: { median: raw / 1000 },
      gzip: { median: gzip / 1000 },
      source: { median: size / 1000 },
    },
  };
}

const SPEED = {
  title: "ns per value",
  note: "Median and quartiles. `sparse`, `half`, `full`: values with 10, 50, 100 % of the declared properties.",
  label: "schema, values",
  chart: "ratio",
  line: 1,
  columns: [
    { key: "ratio", title: "ajv ÷ ours", digits: 2, better: "higher" },
    { key: "ajv", title: "ajv ns", digits: 0 },
    { key: "ours", title: "ours ns", digits: 0 },
  ],
};

const SIZES = {
  title:
    "Bundle of one validator (esbuild, minified), without require and import",
  label: "schema",
  columns: [
    { key: "gzip", title: "gzip kB", digits: 1 },
    { key: "raw", title: "minified kB", digits: 1 },
    { key: "source", title: "validators.ts kB", digits: 0 },
  ],
};

try {
  const specs = SCHEMAS.flatMap(([name]) => [
    "--spec",
    path.join(corpus, `${name}.json`),
  ]);
  run([
    path.join(ROOT, "bin/gen.js"),
    "--quiet",
    "--target",
    "validator",
    "--out",
    path.join(work, "out"),
    ...specs,
  ]);
  const tools = await load(
    'export * from "./test/support/json-schema.ts"; export * from "./test/support/random-values.ts";',
    ROOT,
    "tools",
  );
  const rows = [];
  const sizes = [];
  for (const schema of SCHEMAS) sizes.push(await measure(schema, tools, rows));
  await save({
    family: "validators",
    title: "Validators: speed compared with ajv 8 (ajv = 1)",
    tables: [
      { ...SPEED, rows },
      { ...SIZES, rows: sizes },
    ],
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}

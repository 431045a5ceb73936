// Compares generators: complete processes, in alternation. Floor: bench/floor.mjs,
// which writes as many bytes as our client. Usage: node bench/families/generators.mjs [rounds]
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { versioned } from "../install.mjs";
import {
  APIS,
  documentOf,
  driver,
  exportOpenapi,
  gen,
  inFolder,
} from "../peers.mjs";
import { ratioOf, save, spreadOf } from "../results.mjs";
import { ROOT, run } from "../support.mjs";

const ROUNDS = { drive: 5, compute: 3 };
const LIMITS = { drive: 3.6, compute: 4 };
const rounds = (api) => Number(process.argv[2] ?? ROUNDS[api]);

/** Returns number and bytes of the files below a folder. */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
  const bytes = files.reduce((sum, size) => sum + size, 0);
  return { files: files.length, bytes };
}

/** Writes the size of our output without its runtime, which the floor imitates. */
function sizes(work, api) {
  const out = path.join(work, "size");
  run(gen(api, out));
  const { bytes } = sizeOf(path.join(out, APIS[api].folder));
  const file = path.join(work, "sizes.json");
  const name = path.basename(documentOf(api));
  writeFileSync(file, JSON.stringify({ [name]: bytes }));
  return file;
}

/** Returns the programs by name, the floor first. */
function programs(work, api, openapi) {
  const document = documentOf(api);
  const floor = path.join(ROOT, "bench/floor.mjs");
  const bytes = sizes(work, api);
  const peer = (name, program, input) => ({
    name,
    args: (out) => driver(program, input, out),
  });
  return [
    {
      name: "floor",
      kind: "floor",
      args: (out) => [floor, out, bytes, document],
    },
    {
      name: "ours, client",
      kind: "ours",
      limit: LIMITS[api],
      args: (out) => gen(api, out),
    },
    {
      name: "ours, export of OpenAPI",
      kind: "ours",
      args: (out) => gen(api, out, "--target", "openapi"),
    },
    peer(versioned("google-discovery-to-swagger"), "convert", document),
    peer(versioned("discovery-tsd"), "discovery-tsd", document),
    peer(versioned("openapi-typescript"), "openapi-typescript", openapi),
    peer(versioned("@hey-api/openapi-ts"), "hey-api", openapi),
    peer(versioned("orval"), "orval", openapi),
    peer(versioned("@kubb/core"), "kubb", openapi),
  ];
}

/** Returns the usage of each round, and the size of the output. */
function measure(work, api, list) {
  const results = list.map(() => []);
  const sizesOf = [];
  for (let round = 0; round < rounds(api); round++)
    list.forEach(({ args }, index) => {
      // New folders: creating files is slower right after deleting many.
      const out = path.join(work, `${api}-${round}-${index}`);
      mkdirSync(out);
      results[index].push(run(args(out)));
      sizesOf[index] = sizeOf(out);
    });
  return { results, sizesOf };
}

function tableOf(work, api, openapi) {
  const list = programs(work, api, openapi);
  const { results, sizesOf } = measure(work, api, list);
  const values = (index, key) => results[index].map((usage) => usage[key]);
  const rows = list.map(({ name, kind, limit }, index) => ({
    name,
    kind,
    limit,
    values: {
      ratio: ratioOf(values(index, "cpu"), values(0, "cpu")),
      wall: spreadOf(values(index, "wall")),
      cpu: spreadOf(values(index, "cpu")),
      peak: { median: Math.max(...values(index, "peak")) },
      files: { median: sizesOf[index].files },
      output: { median: sizesOf[index].bytes / 1e6 },
    },
  }));
  return {
    title: APIS[api].title,
    note: `Complete processes, ${rounds(api)} rounds in alternation. openapi-typescript, Hey API, orval and kubb read our export of OpenAPI, which their rows don't include; google-discovery-to-swagger with swagger2openapi is the conversion without ours. discovery-tsd and openapi-typescript write types only.`,
    label: "generator",
    chart: "ratio",
    columns: COLUMNS,
    rows,
  };
}

const COLUMNS = [
  { key: "ratio", title: "CPU ÷ floor", digits: 2 },
  { key: "wall", title: "wall s", digits: 2 },
  { key: "cpu", title: "CPU s", digits: 2 },
  { key: "peak", title: "peak MiB", digits: 0 },
  { key: "files", title: "files", digits: 0 },
  { key: "output", title: "MB", digits: 2 },
];

await inFolder("generators", async (work) => {
  const inputs = exportOpenapi(work);
  // The first run of each program reads it from disk.
  for (const { args } of programs(work, "drive", inputs.drive))
    run(args(path.join(work, "warm")));
  const tables = Object.entries(inputs).map(([api, input]) =>
    tableOf(work, api, input),
  );
  await save({
    family: "generators",
    title: "Generators: processor time for a client, floor = 1",
    tables,
  });
});

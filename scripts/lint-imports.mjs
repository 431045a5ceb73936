// Checks that imports of src/ follow the layers: no import of a higher layer, and
// no cycle between files (type-only imports included). An entry is a folder or file
// directly in src/. Usage: node scripts/lint-imports.mjs [folder]
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Layers from the lowest to the highest. A file imports only from its own entry
 * and from lower layers; entries of the same layer do not import each other. If
 * several entries match, the longest path applies. `imports` restricts an entry
 * to some of the lower entries.
 */
const LAYERS = [
  [{ path: "runtime" }],
  [{ path: "diagnostics" }, { path: "platform" }],
  [{ path: "load" }, { path: "watch" }],
  [{ path: "remote" }],
  [{ path: "model" }],
  [{ path: "select" }, { path: "patch" }, { path: "validate" }],
  [{ path: "render" }, { path: "write" }],
  [{ path: "targets/shared" }],
  [{ path: "targets/target.ts" }],
  // The validator target and the exports enforce the same patterns.
  [{ path: "targets/validator/patterns.ts" }],
  // Validators contain the JSON Schema of the values that they check.
  [{ path: "targets/json-schema" }],
  [{ path: "targets/client" }, { path: "targets/validator" }],
  // Servers check requests with the functions of the validator target.
  [{ path: "targets/server" }],
  // The conformance suite covers features of clients and servers.
  [{ path: "targets/conformance" }],
  // OpenAPI contains JSON Schema.
  [{ path: "targets/openapi" }],
  [{ path: "targets" }],
  // Pages offer the OpenAPI document of an API.
  [{ path: "site" }],
  [{ path: "generate" }],
  [{ path: "config" }],
  [{ path: "plugins", imports: ["config", "load", "diagnostics"] }],
  // Renamed generated types can break code that uses them, so the comparison of
  // documents imports the targets.
  [{ path: "mock" }, { path: "scaffold" }, { path: "diff" }],
  [
    { path: "overrides", imports: ["diagnostics", "platform", "runtime"] },
    { path: "services" },
  ],
  [{ path: "cli" }],
  [{ path: "index.ts" }],
];

const RANKS = new Map(
  LAYERS.flatMap((row, rank) =>
    row.map((entry) => [entry.path, { ...entry, rank }]),
  ),
);

// Prettier puts `import`, `export` and the closing brace of a list at the start of a line.
const IMPORT =
  /^(?:import|export|\}) (?:[^"\n]*? )?from "(\.[^"]+)"|^import "(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/gm;

/**
 * Returns the imports between the given files.
 * @param files texts by path relative to src/, with forward slashes
 */
function importsOf(files) {
  return [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].flatMap((match) => {
      const specifier = match[1] ?? match[2] ?? match[3];
      const to = path.posix
        .join(path.posix.dirname(from), specifier)
        .replace(/\.js$/, ".ts");
      const line = text
        .slice(0, match.index + match[0].indexOf('"'))
        .split("\n").length;
      return files.has(to) ? [{ from, to, line }] : [];
    }),
  );
}

/** Returns violations: imports of higher layers, cycles, and too many pairs. */
function lintImports(files) {
  const imports = importsOf(files);
  return [
    ...[...files.keys()]
      .filter((file) => layerOf(file) === undefined)
      .map((file) => `src/${file}:1: no row of LAYERS has this file`),
    ...imports.flatMap(upwardOffence),
    ...cyclesOf(imports).map(cycleOffence),
  ];
}

function layerOf(file) {
  const parts = file.split("/");
  for (let count = parts.length; count > 0; count--) {
    const layer = RANKS.get(parts.slice(0, count).join("/"));
    if (layer !== undefined) return layer;
  }
  return undefined;
}

function upwardOffence({ from, to, line }) {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (source === undefined || target === undefined) return [];
  if (source.path === target.path) return [];
  const isAllowed = source.imports?.includes(target.path) ?? true;
  return isAllowed && target.rank < source.rank
    ? []
    : [
        `src/${from}:${line}: ${source.path} must not import ${target.path} (src/${to})`,
      ];
}

function cycleOffence(imports) {
  const [{ from, line }] = imports;
  const files = [...imports.map((entry) => entry.from), from];
  return `src/${from}:${line}: cycle of imports: ${files.join(" -> ")}`;
}

/** Returns one shortest cycle for each group of files that import one another. */
function cyclesOf(imports) {
  const outgoing = new Map();
  for (const entry of imports)
    outgoing.set(entry.from, [...(outgoing.get(entry.from) ?? []), entry]);
  const isCovered = new Set();
  const cycles = [];
  for (const start of [...outgoing.keys()].sort()) {
    if (isCovered.has(start)) continue;
    const cycle = shortestCycle(start, outgoing);
    if (cycle === undefined) continue;
    for (const { from } of cycle) isCovered.add(from);
    cycles.push(cycle);
  }
  return cycles;
}

function shortestCycle(start, outgoing) {
  const paths = [[start, []]];
  const seen = new Set();
  for (const [file, walked] of paths) {
    for (const entry of outgoing.get(file) ?? []) {
      if (entry.to === start) return [...walked, entry];
      if (seen.has(entry.to)) continue;
      seen.add(entry.to);
      paths.push([entry.to, [...walked, entry]]);
    }
  }
  return undefined;
}

/** Reads the TypeScript files of src/ by relative path. */
function readSources(folder) {
  const names = readdirSync(folder, { recursive: true })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".ts"));
  return new Map(
    names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
}

const standard = fileURLToPath(new URL("../src", import.meta.url));
const offences = lintImports(readSources(process.argv[2] ?? standard));
for (const offence of offences) console.error(offence);
process.exitCode = offences.length > 0 ? 1 : 0;

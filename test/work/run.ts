import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../support/paths.js";
import type { Counts } from "./counts.js";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Returns the calls of functions in files below a folder, and those files. */
export function callsIn(coverage: string, folder: string): Counts {
  const root = pathToFileURL(folder).href;
  const scripts = readdirSync(coverage)
    .map((name) => readFileSync(path.join(coverage, name), "utf8"))
    .flatMap((text) => (JSON.parse(text) as Coverage).result)
    .filter(({ url }) => url.startsWith(root));
  const functions = scripts.flatMap((script) => script.functions);
  const calls = functions.reduce(
    (sum, { ranges }) => sum + ranges[0]!.count,
    0,
  );
  return { calls, files: new Set(scripts.map(({ url }) => url)).size };
}

/** Operations of node:fs by what they do; others are parts of these. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  reads: ["read", "readFile"],
  writes: ["writeFile"],
  stats: ["stat", "lstat", "fstat", "exists", "realpath"],
  folders: ["mkdir", "readdir"],
  moves: ["rename", "link", "copyFile"],
};

/** Variables of a command, and the folder of its caches and counts. */
export interface Place {
  readonly cwd: string;
  readonly work: string;
}

/** Runs the command; returns what it did, counted (count-run.mjs, coverage of V8). */
export function countRun(
  args: readonly string[],
  { cwd, work }: Place,
): Counts {
  const coverage = mkdtempSync(path.join(work, "coverage-"));
  const file = path.join(coverage, "run");
  const preload = path.join(ROOT, "test/work/count-run.mjs");
  const { PATH = "", HOME = "" } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, path.join(ROOT, "bin/gen.js"), ...args],
    {
      cwd,
      env: {
        PATH,
        HOME,
        XDG_CACHE_HOME: path.join(work, "cache"),
        // The number of accesses to stored code depends on the depth of the
        // folder.
        NODE_DISABLE_COMPILE_CACHE: "1",
        COUNTS: file,
        NODE_V8_COVERAGE: path.join(coverage, "v8"),
      },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  const raw = JSON.parse(readFileSync(file, "utf8")) as Counts;
  const operations = Object.entries(OPERATIONS).map(([name, calls]) => [
    name,
    calls.reduce((sum, call) => sum + (raw[`fs.${call}`] ?? 0), 0),
  ]);
  return {
    ...(Object.fromEntries(operations) as Counts),
    patterns: raw["patterns"] ?? 0,
    builtins: raw["builtins"]!,
    ...callsIn(path.join(coverage, "v8"), path.join(ROOT, "dist")),
  };
}

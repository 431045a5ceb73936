// Budgets of what users see and what is equal on each machine, about 10 %
// above the present values. A change that needs more raises its budget and says why. The budget of
// the package is in pack.test.ts; times are never asserted.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { syntheticDocument } from "../../bench/synthetic.mjs";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { texts, write } from "./support.js";

/** Returns the bytes of a minified program after gzip. */
function bundleSize(contents: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: path.join(ROOT, "generated") },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return gzipSync(outputFiles[0]!.text, { level: 9 }).length;
}

test.each([
  [
    "a flat function",
    `import { createBareClient } from "./marketplace/v1/service.js";
    import { item } from "./marketplace/v1/resources/items.js";
    await item(createBareClient(), { id: "1" });`,
    3_550,
  ],
  [
    "a client with all methods",
    `import { createMarketplace } from "./marketplace/v1/index.js";
    await createMarketplace().items.item({ id: "1" });`,
    13_000,
  ],
])("bundle of one call: %s", (_, program, budget) => {
  expect(bundleSize(program)).toBeLessThan(budget);
});

test("files and lines of generated/", () => {
  const files = Object.entries(texts(path.join(ROOT, "generated")));
  const sources = files.filter(([name]) => name.endsWith(".ts"));
  const lines = sources.reduce(
    (sum, [, text]) => sum + text.split("\n").length,
    0,
  );
  // Six APIs; the admin API alone has 33 methods and 7,400 lines.
  expect(sources.length).toBeLessThan(270);
  expect(lines).toBeLessThan(61_000);
});

test("peak memory for a document of 6 MB", () => {
  const cwd = temporaryFolder();
  write(cwd, { "large.json": JSON.stringify(syntheticDocument(12_000)) });
  const usage = path.join(ROOT, "bench/usage.cjs");
  const gen = path.join(ROOT, "bin/gen.js");
  const options = ["--spec", "large.json", "--out", "out", "--quiet"];
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", usage, gen, ...options],
    { cwd, encoding: "utf8" },
  );
  expect(status).toBe(0);
  const [, peak] = /"peak":([\d.]+)/.exec(stderr)!;
  expect(Number(peak) * 1.048576).toBeLessThan(260);
});

/** Returns the files of dist/ that are loaded with a file. */
function loaded(file: string, found = new Map<string, number>()) {
  if (found.has(file)) return found;
  const text = readFileSync(file, "utf8");
  found.set(file, text.length);
  for (const [, name] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    loaded(path.resolve(path.dirname(file), name!), found);
  return found;
}

// Each file takes about half a millisecond.
test("a start loads few files, of limited size", () => {
  const files = [...loaded(path.join(ROOT, "dist/cli.js")).values()];
  expect(files.length).toBeLessThan(10);
  expect(files.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(725_000);
});

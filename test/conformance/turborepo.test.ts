import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, texts, write } from "../cli/support.js";

const VERSION = "2.11.11";

/** Folder with Turborepo, which is too large (45 MB) for a dependency. */
let tools = "";
let reason: string | undefined;

beforeAll(() => {
  tools = mkdtempSync(path.join(tmpdir(), "gen-turbo-"));
  write(tools, { "package.json": {} });
  const flags = ["--no-audit", "--no-fund", "--no-save"];
  const { status, stderr } = spawnSync(
    "npm",
    ["install", ...flags, `turbo@${VERSION}`],
    { cwd: tools, encoding: "utf8", timeout: 110_000 },
  );
  if (status !== 0) reason = `turbo can't be installed: ${stderr.slice(-300)}`;
});
afterAll(() => rmSync(tools, { recursive: true, force: true }));

/** The turbo.json of docs/build-cache.md. */
function documented(): string {
  const page = readFileSync(path.join(ROOT, "docs/build-cache.md"), "utf8");
  return /<!-- test: turbo.json -->\s+```json\n([\s\S]*?)```/.exec(page)![1]!;
}

/** A workspace with one package, whose generate script runs this gen. */
function workspace(): string {
  const root = temporaryFolder();
  const gen = path.join(ROOT, "bin/gen.js");
  write(root, {
    "package.json": {
      name: "root",
      packageManager: "npm@10.8.2",
      workspaces: ["packages/*"],
    },
    "package-lock.json": { name: "root", lockfileVersion: 3, packages: {} },
    "turbo.json": documented(),
    ".gitignore": ".turbo\nnode_modules\n",
    "packages/api/package.json": {
      name: "api",
      version: "1.0.0",
      scripts: { generate: `node ${JSON.stringify(gen)}` },
    },
    "packages/api/gen.config.json": {
      out: "src/generated",
      apis: { "demo:v1": { source: "specs/demo.json" } },
    },
    "packages/api/specs/demo.json": apiOf("demo"),
  });
  return root;
}

function turbo(root: string, env: Record<string, string> = {}): string {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(
    path.join(tools, "node_modules/.bin/turbo"),
    ["run", "generate", "--no-daemon", "--output-logs=full"],
    {
      cwd: root,
      encoding: "utf8",
      env: {
        PATH,
        HOME,
        XDG_CACHE_HOME,
        TURBO_TELEMETRY_DISABLED: "1",
        DO_NOT_TRACK: "1",
        ...env,
      },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  return /Cached:\s+(\d+) cached, (\d+) total/.exec(stdout)![0];
}

test("Turborepo: hit on the second run, output is restored, inputs and options count", (context) => {
  if (reason !== undefined) {
    console.log(`skipped: ${reason}`);
    context.skip(reason);
  }
  const root = workspace();
  const out = path.join(root, "packages/api/src/generated");
  expect(turbo(root)).toMatch(/ 0 cached, 1 total/);
  const first = texts(out);
  expect(Object.keys(first)).toContain(".gen-manifest.json");
  expect(turbo(root)).toMatch(/ 1 cached, 1 total/);

  rmSync(out, { recursive: true });
  expect(turbo(root)).toMatch(/ 1 cached, 1 total/);
  expect(texts(out)).toEqual(first);

  // Another checkout at another path hits the same cache.
  const other = path.join(temporaryFolder(), "elsewhere");
  mkdirSync(other);
  cpSync(root, other, {
    recursive: true,
    filter: (name) => !name.includes("generated"),
  });
  expect(turbo(other)).toMatch(/ 1 cached, 1 total/);
  expect(texts(path.join(other, "packages/api/src/generated"))).toEqual(first);

  expect(turbo(root, { GEN_IMPORT_SUFFIX: "none" })).toMatch(/ 0 cached/);
  expect(texts(out)["demo/v1/index.ts"]).toContain('"./client"');
  const file = path.join(root, "packages/api/specs/demo.json");
  writeFileSync(file, JSON.stringify(apiOf("demo", "v1", "2")));
  expect(turbo(root)).toMatch(/ 0 cached, 1 total/);
  expect(texts(out)["demo/v1/resources/things.ts"]).toContain("things/r2");
  expect(existsSync(path.join(out, ".gen-lock"))).toBe(false);
});

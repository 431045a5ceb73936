import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { atTerminal, hasTerminal } from "../support/pty.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, texts, write } from "./support.js";

const PACKAGE = '{\n\t"name": "x"\n}\n';

test("chooses the form that the project can import, and trusts prose with the option", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "package.json": {},
    "tsconfig.json":
      '{ "compilerOptions": { "module": "nodenext", "rewriteRelativeImportExtensions": true, }, }',
  });
  const { stdout } = gen(["init", "--trust-prose"], { cwd });
  expect(parse(texts(cwd)["gen.config.yaml"]!)).toEqual({
    out: "generated",
    target: ["client"],
    importSuffix: "ts",
    trustProse: true,
    apis: {},
  });
  expect(stdout).toContain(
    "importSuffix: ts, because tsconfig.json allows imports that end with .ts\n",
  );
  expect(stdout).toContain("Run `npm pkg set type=module`.\n");
  const spec = ["--spec", "demo.json", "--out", "generated"];
  write(cwd, { "demo.json": apiOf("demo") });
  const run = gen([...spec, "--import-suffix", "none"], { cwd });
  expect(run.stdout).toContain(
    'Import it:\n  import { createDemo } from "./generated/demo/v1/index";\n' +
      "hint: tsconfig.json allows imports that end with .ts. Use --import-suffix ts.\n",
  );
  // Only the run that creates the client prints the import.
  expect(gen(spec, { cwd }).stdout).not.toContain("Import");
});

test("flags replace questions; the config runs", () => {
  const cwd = temporaryFolder();
  write(cwd, { "package.json": PACKAGE, "docs/demo.v1.json": apiOf("demo") });
  const args = [
    "--api",
    "docs/demo.v1.json",
    "--out",
    "gen",
    "--target",
    "server",
  ];
  const { status, stdout, stderr } = gen(["init", ...args, "--script"], {
    cwd,
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^wrote gen\.config\.yaml\nwrote package\.json\n(?:.*\n)*Generate the output: gen\n$/,
  );
  const files = texts(cwd);
  expect(files["gen.config.yaml"]).toMatch(
    /^# yaml-language-server: \$schema=\.\/node_modules\/discovery-codegen\/generated\/schemas\/gen\.config\.schema\.json\n/,
  );
  expect(parse(files["gen.config.yaml"]!)).toMatchObject({
    out: "gen",
    target: ["server"],
    apis: { "demo:v1": { source: "docs/demo.v1.json" } },
  });
  expect(files["package.json"]).toBe(
    '{\n\t"name": "x",\n\t"scripts": {\n\t\t"generate": "gen"\n\t}\n}\n',
  );
  expect(gen([], { cwd }).status).toBe(0);
  expect(texts(cwd)["gen/demo/v1/server.ts"]).toBeDefined();
});

test("an existing config is replaced only with --force, and never beside another", () => {
  const cwd = temporaryFolder();
  write(cwd, { "gen.config.json": "mine" });
  for (const args of [["--format", "json"], [], ["--force"]]) {
    const { status, stderr } = gen(["init", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(
      "error init-exists: the folder already contains gen.config.json",
    );
    expect(texts(cwd)).toEqual({ "gen.config.json": "mine" });
  }
  expect(gen(["init", "--force", "--format", "json"], { cwd }).status).toBe(0);
  expect(texts(cwd)["gen.config.json"]).toContain('"out": "generated"');
});

test("a link is not followed, and a script of the user is not replaced", () => {
  const cwd = temporaryFolder();
  const outside = path.join(temporaryFolder(), "outside");
  writeFileSync(outside, "secret");
  symlinkSync(outside, path.join(cwd, "package.json"));
  const linked = gen(["init", "--script"], { cwd });
  expect(linked.status).toBe(0);
  expect(linked.stderr).toContain("warning init-script");
  expect(readFileSync(outside, "utf8")).toBe("secret");
  const other = temporaryFolder();
  const text = '{ "scripts": { "generate": "mine" } }';
  write(other, { "package.json": text });
  expect(gen(["init", "--script"], { cwd: other }).stderr).toContain(
    "a different script named generate",
  );
  expect(texts(other)["package.json"]).toBe(text);
});

test.each([
  [["--api", "drive"], "drive must be name:version, or an existing file"],
  [["--api", "none/x.json"], "none/x.json must be name:version"],
  [["--api", "a:v1", "a:v1"], "two values of --api have the same label, a:v1"],
  [["--format", "toml"], "Allowed choices are yaml, json, ts"],
])("%j is a usage error", (args, message) => {
  const cwd = temporaryFolder();
  const { status, stderr } = gen(["init", ...args], { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(texts(cwd)).toEqual({});
});

describe.skipIf(!hasTerminal())("at a terminal", () => {
  const run = (
    cwd: string,
    exchanges: [string, string][],
    ...args: string[]
  ) => {
    const { PATH = "", HOME = "" } = process.env;
    return atTerminal(
      [process.execPath, path.join(ROOT, "bin/gen.js"), "init", ...args],
      { cwd, env: { PATH, HOME }, exchanges },
    );
  };

  test("missing values are questions; a wrong reply repeats its question", async () => {
    const cwd = temporaryFolder();
    write(cwd, { "package.json": PACKAGE, "src/x": "" });
    const { status, output } = await run(
      cwd,
      [
        ["by commas: [] ", "drive\n"],
        ["by commas: [] ", "drive:v3, admin:directory_v1\n"],
        ["): [client] ", "client,server\n"],
        ["(yaml, json, ts): [yaml] ", "json\n"],
        ["descriptions? (y, n) [n] ", "y\n"],
        ["package.json? (y, n) [n] ", "y\n"],
      ],
      "--out",
      "o",
    );
    expect(output).toContain("Expected name:version, or existing files.");
    expect(status).toBe(0);
    const files = texts(cwd);
    expect(JSON.parse(files["gen.config.json"]!)).toMatchObject({
      out: "o",
      target: ["client", "server"],
      trustProse: true,
      apis: { "drive:v3": {}, "admin:directory_v1": {} },
    });
    expect(files["package.json"]).toContain('"generate": "gen"');
  });

  test.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s writes nothing", async (_, key) => {
    const cwd = temporaryFolder();
    const { status, output } = await run(cwd, [["by commas: [] ", key]]);
    expect(output).toContain("gen init was cancelled; no file was written");
    expect(status).toBe(2);
    expect(texts(cwd)).toEqual({});
  });

  test("--yes asks nothing", async () => {
    const cwd = temporaryFolder();
    const { status, output } = await run(cwd, [], "--yes");
    expect([status, output]).toEqual([
      0,
      "wrote gen.config.yaml\nAdd an API: gen add drive:v3\n",
    ]);
  });
});

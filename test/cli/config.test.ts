import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, genProcess, texts, tree, write } from "./support.js";

/** Folder with two documents and a config. */
function project(config: object, name = "gen.config.json"): string {
  const cwd = temporaryFolder();
  write(cwd, {
    [name]: config,
    "specs/one.v1.json": apiOf("one"),
    "specs/two.v1.json": apiOf("two"),
  });
  return cwd;
}

const TWO = { out: "gen", apis: { "one:v1": {}, "two:v1": {} } };

describe("gen without --spec", () => {
  test("runs all jobs of the config, with one summary and exit code", () => {
    const jobs = [{}, { out: "gen/two", apis: ["two:v1"], target: ["server"] }];
    const cwd = project({ ...TWO, jobs });
    const first = gen([], { cwd });
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^3 of 3 documents in 2 jobs: \d+ files created\n$/,
    );
    expect(tree(cwd).has("gen/two/two/v1/server.ts")).toBe(true);
    const again = gen(["--check"], { cwd });
    expect(again.status).toBe(0);
    expect(again.stdout).toMatch(/^3 of 3 documents in 2 jobs: \d+ files unch/);
  });

  test("the command line takes precedence over the environment, and it over the config", () => {
    const cwd = project({ ...TWO, importSuffix: "none" });
    const env = { GEN_IMPORT_SUFFIX: "ts", GEN_OUT: "env" };
    expect(gen(["one:v1", "--out", "line"], { cwd, env }).status).toBe(0);
    expect([...tree(cwd).keys()]).toContain("line/one/v1/index.ts");
    expect([...tree(cwd).keys()]).not.toContain("line/two");
    expect(texts(cwd)["line/one/v1/index.ts"]).toContain('"./client.ts"');
  });

  test("an API without its document is reported; the others are generated", () => {
    const cwd = project({ ...TWO, apis: { ...TWO.apis, "no:v1": {} } });
    const args = ["--offline", "--format", "json"];
    const { status, stdout, stderr } = gen(args, { cwd });
    expect(status).toBe(3);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      documents: 3,
      failed: 1,
      files: expect.arrayContaining([
        { out: "gen", path: "one/v1/index.ts", action: "create" },
      ]) as object,
      diagnostics: [{ code: "remote-offline" }],
    });
  });

  test("without a config, the error names the ways on", () => {
    const cwd = temporaryFolder();
    const { status, stdout, stderr } = gen([], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("gen: error config-missing: ");
    expect(gen(["--out", "out"], { cwd }).stderr).toBe(stderr);
    expect(stderr).toContain("gen init");
    expect(stderr).toContain("gen --help");
    expect(gen(["one:v1", "--spec", "x", "--out", "y"], { cwd })).toMatchObject(
      {
        status: 2,
        stderr: expect.stringContaining(
          "one:v1 can't be used with --spec",
        ) as string,
      },
    );
    expect(gen(["--spec", "x", "--config", "y"], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "--spec and --config can't be used together",
      ) as string,
    });
  });

  test("--format github names the file in the output and the command", () => {
    const cwd = project(TWO, "conf.json");
    const args = ["--config", "conf.json", "--check", "--format", "github"];
    const { status, stderr } = gen([...args, "one:v1"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain("file=gen/one/v1/index.ts");
    expect(stderr).toContain(
      "Run: npx discovery-codegen --config conf.json --api one:v1\n",
    );
  });

  test("progress and stage times are printed on request", () => {
    const cwd = project(TWO);
    const { stderr } = gen(["--progress", "json", "--verbose"], { cwd });
    const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        event: "document",
        out: "gen",
        document: "specs/one.v1.json",
        done: 1,
        total: 2,
      },
      {
        event: "document",
        out: "gen",
        document: "specs/two.v1.json",
        done: 2,
        total: 2,
      },
      { event: "end", documents: 2, failed: 0, exitCode: 0 },
    ]);
    expect(stderr).toMatch(
      /^stages: list [\d.]+ ms, .*parse [\d.]+ ms, .*model [\d.]+ ms, print /m,
    );
  });
});

describe("output of a config", () => {
  test("an API or target that the config no longer has is deleted, an edited file is not", () => {
    const cwd = project({ ...TWO, target: ["client", "validator"] });
    expect(gen([], { cwd }).status).toBe(0);
    write(cwd, {
      "gen.config.json": { out: "gen", apis: { "one:v1": {} } },
      "gen/two/v1/index.ts": "// edited\n",
    });
    const checked = gen(["--check"], { cwd });
    expect(checked.status).toBe(1);
    const { status, stderr } = gen([], { cwd });
    expect(status).toBe(0);
    expect(stderr).toContain("output-edited");
    const left = [...tree(path.join(cwd, "gen")).keys()];
    expect(left.filter((name) => name.startsWith("two/v1/"))).toEqual([
      "two/v1/index.ts",
    ]);
    expect(left).not.toContain("one/v1/validators.ts");
  });

  test("no output is deleted if a document has errors or only some APIs are generated", () => {
    const cwd = project(TWO);
    expect(gen([], { cwd }).status).toBe(0);
    write(cwd, { "gen.config.json": { out: "gen", apis: { "one:v1": {} } } });
    expect(gen(["one:v1"], { cwd }).status).toBe(0);
    write(cwd, { "specs/one.v1.json": "{" });
    expect(gen([], { cwd }).status).toBe(3);
    expect(tree(cwd).has("gen/two/v1/index.ts")).toBe(true);
    expect(tree(cwd).has("gen/one/v1/index.ts")).toBe(true);
  });

  test.each(["gen/other", "gen/one", "gen/one/v1/inner"])(
    "a job in %s and the job around it keep each other's files",
    (inner) => {
      const jobs = [{ apis: ["one:v1"] }, { out: inner, apis: ["two:v1"] }];
      const config = { ...TWO, jobs };
      const cwd = project(config);
      // The folder of an API of the outer job can be the inner output.
      const innerFiles = (): Record<string, string> =>
        Object.fromEntries(
          Object.entries(texts(path.join(cwd, inner))).filter(
            ([name]) => !name.startsWith("v1/"),
          ),
        );
      expect(gen([], { cwd }).status).toBe(0);
      const before = innerFiles();
      expect(Object.keys(before)).toContain("two/v1/index.ts");
      // The outer job replaces its folders, then deletes them.
      write(cwd, { "specs/one.v1.json": apiOf("one", "v1", "2") });
      expect(gen(["one:v1", "--force"], { cwd }).status).toBe(0);
      expect(innerFiles()).toEqual(before);
      expect(gen(["--check"], { cwd }).status).toBe(0);
      write(cwd, { "specs/one.v1.json": apiOf("three") });
      expect(gen(["--force"], { cwd }).status).toBe(0);
      expect(tree(cwd).has("gen/one/v1/index.ts")).toBe(false);
      expect(innerFiles()).toEqual(before);
      // And the other way round.
      rmSync(path.join(cwd, "specs/two.v1.json"));
      write(cwd, { "specs/two.v1.json": apiOf("four") });
      expect(gen([], { cwd }).status).toBe(0);
      expect(tree(cwd).has("gen/three/v1/index.ts")).toBe(true);
      expect(tree(path.join(cwd, inner)).has("two/v1/index.ts")).toBe(false);
    },
  );
});

test("selections and patches of an API apply to its documents only", () => {
  const cwd = project({
    out: "gen",
    apis: {
      "one:v1": { include: ["one.things.*"], patches: ["patches/one.yaml"] },
      "two:v1": {},
    },
  });
  const patch =
    "api: one:v1\noperations:\n  - describe: methods.one.things.get\n    value: Patched text.\n";
  write(cwd, { "patches/one.yaml": patch });
  const result = gen([], { cwd });
  expect(result).toMatchObject({ stderr: "", status: 0 });
  const files = texts(path.join(cwd, "gen"));
  expect(files["one/v1/resources/things.ts"]).toContain("Patched text.");
  expect(files["one/v1/resources/others.ts"]).toBeUndefined();
  expect(files["two/v1/resources/others.ts"]).toBeDefined();
  expect(gen(["--check"], { cwd }).status).toBe(0);
  write(cwd, { "patches/one.yaml": patch.replace("Patched", "Changed") });
  expect(gen(["--check"], { cwd }).status).toBe(1);
  // An invalid patch stops its API, whose output remains.
  write(cwd, { "patches/one.yaml": "api: 5\n" });
  const invalid = gen([], { cwd });
  expect(invalid.status).toBe(4);
  expect(invalid.stderr).toContain("patches/one.yaml:1:");
  expect(texts(path.join(cwd, "gen"))).toEqual(files);
});

describe("a config in", () => {
  const API = `{ "one:v1": {} }`;

  test("JavaScript is run; a failure has its position", () => {
    const cwd = project({}, "x.json");
    write(cwd, {
      "gen.config.mjs": `\n\nthrow new TypeError("no luck\\nfor you");`,
    });
    expect(gen([], { cwd }).stderr).toMatch(
      /^gen\.config\.mjs:3:7: error config-file: gen\.config\.mjs can't be used: TypeError: no luck\n/,
    );
    write(cwd, { "gen.config.mjs": `export const out = "gen";` });
    expect(gen([], { cwd }).stderr).toContain("must have a default export");
    write(cwd, { "gen.config.mjs": `export default {` });
    expect(gen([], { cwd }).stderr).toContain("SyntaxError: ");
    write(cwd, {
      "gen.config.mjs": `export default { out: "gen", apis: ${API} };`,
    });
    expect(gen([], { cwd })).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([
    ["ts5", "typescript"],
    ["esbuild", "esbuild"],
  ])("TypeScript needs Node.js 22.18 or a package such as %s", (from, name) => {
    const cwd = project({}, "x.json");
    write(cwd, {
      "shared/out.ts": `type Text = string;\nexport const out: Text = "gen";`,
      "gen.config.ts": `import { out } from "./shared/out.ts";\nexport default { out, apis: ${API} as Record<string, object> };`,
    });
    // Registered hooks would stay in a shared process.
    const without = genProcess([], { cwd });
    if (!Object.hasOwn(process.features, "typescript")) {
      expect(without.status).toBe(2);
      expect(without.stderr).toContain("error package-missing");
      expect(without.stderr).toContain("npm install esbuild");
    } else expect(without.status).toBe(0);
    mkdirSync(path.join(cwd, "node_modules"));
    symlinkSync(
      path.join(ROOT, "node_modules", from),
      path.join(cwd, "node_modules", name),
    );
    expect(genProcess([], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(tree(cwd).has("gen/one/v1/index.ts")).toBe(true);
  });

  test("a folder above or a folder of documents is never run", () => {
    const cwd = project({}, "x.json");
    const bad = "process.exit(77);";
    write(cwd, { "gen.config.mjs": bad, "below/specs/gen.config.mjs": bad });
    write(path.join(cwd, "below"), { "specs/one.v1.json": apiOf("one") });
    const below = path.join(cwd, "below");
    expect(gen([], { cwd: below }).status).toBe(2);
    expect(gen(["--spec", "specs", "--out", "o"], { cwd: below }).status).toBe(
      0,
    );
  });
});

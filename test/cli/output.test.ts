import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, tree, write } from "./support.js";

const ARGS = ["--spec", "specs", "--out", "out"];

function project(files: Record<string, string | object> = {}): string {
  const cwd = temporaryFolder();
  write(path.join(cwd, "specs"), { "demo.json": apiOf("demo"), ...files });
  return cwd;
}

/** Document with an error, a warning and an info. */
const MIXED = description({
  methods: { get: { id: "demo.get", path: "x", httpMethod: "GET" } },
  schemas: {
    Info: { id: "Info", type: "object", properties: { a: {} } },
    Warning: { id: "Warning", type: "array", items: { $ref: "Nowhere" } },
  },
});

describe("exit codes", () => {
  test("0 when generated, 0 when up to date, 1 on drift", () => {
    const cwd = project();
    expect(gen([...ARGS, "--check"], { cwd }).status).toBe(1);
    expect(tree(cwd).has("out")).toBe(false);
    expect(gen([...ARGS, "--dry-run"], { cwd }).status).toBe(0);
    expect(tree(cwd).has("out")).toBe(false);
    expect(gen(ARGS, { cwd }).status).toBe(0);
    expect(gen([...ARGS, "--check"], { cwd }).status).toBe(0);
    rmSync(path.join(cwd, "out/demo/v1/index.ts"));
    expect(gen([...ARGS, "--check"], { cwd }).status).toBe(1);
  });

  test("3 for a document, 2 for the run, which has priority", () => {
    const cwd = project({ "wrong.json": "{" });
    expect(gen(ARGS, { cwd }).status).toBe(3);
    expect(gen([...ARGS, "--check"], { cwd }).status).toBe(3);
    expect(gen([...ARGS, "--spec", "nowhere"], { cwd }).status).toBe(2);
  });
});

describe("text", () => {
  test("is a summary of one line; the first run adds the import", () => {
    const cwd = project();
    const first = gen(ARGS, { cwd });
    expect(first.stderr).toBe("");
    expect(first.stdout).toMatch(
      /^1 of 1 document: \d+ files created\nImport it:\n {2}import \{ createDemo \} from "\.\/out\/demo\/v1\/index\.js";\n$/,
    );
    expect(gen(ARGS, { cwd }).stdout).toMatch(
      /^1 of 1 document: \d+ files unchanged\n$/,
    );
  });

  test("--check and --dry-run list the files that would change", () => {
    const cwd = project();
    gen(ARGS, { cwd });
    rmSync(path.join(cwd, "out/demo/v1/index.ts"));
    for (const flag of ["--check", "--dry-run"])
      expect(gen([...ARGS, flag], { cwd }).stdout).toMatch(
        /^create {2}demo\/v1\/index\.ts\n1 of 1 document: /,
      );
  });

  test("warnings are shown, infos with --verbose, neither with --quiet", () => {
    const cwd = project({ "demo.json": MIXED });
    const normal = gen(ARGS, { cwd });
    expect(normal.stderr).toMatch(
      /^specs\/demo\.json:\d+:\d+: warning ref-missing: /,
    );
    expect(normal.stderr).not.toContain("info");
    expect(normal.stdout).toMatch(/; 1 info \(--verbose\)\n/);
    const verbose = gen([...ARGS, "--verbose", "--force"], { cwd });
    expect(verbose.stdout).toContain("same    demo/v1/index.ts\n");
    rmSync(path.join(cwd, "out"), { recursive: true });
    const again = gen([...ARGS, "--verbose"], { cwd });
    expect(again.stderr).toMatch(/demo\.json:\d+:\d+: info schema-untyped: /);
    rmSync(path.join(cwd, "out"), { recursive: true });
    const quiet = gen([...ARGS, "--quiet"], { cwd });
    expect([quiet.status, quiet.stdout, quiet.stderr]).toEqual([0, "", ""]);
  });

  test("is colored with FORCE_COLOR, and never with NO_COLOR", () => {
    const cwd = project({ "wrong.json": "{" });
    const colored = gen(ARGS, { cwd, env: { FORCE_COLOR: "1" } });
    expect(colored.stderr).toContain("\u001b[31merror\u001b[0m json-syntax");
    for (const env of [
      {},
      { FORCE_COLOR: "1", NO_COLOR: "1" },
      { FORCE_COLOR: "0" },
    ])
      expect(gen(ARGS, { cwd, env }).stderr).not.toContain("\u001b");
  });
});

test("--format json prints one object with files and diagnostics", () => {
  const cwd = project({
    "wrong.json": "{",
    "mixed.json": { ...MIXED, name: "mixed" },
  });
  const { status, stdout, stderr } = gen([...ARGS, "--format", "json"], {
    cwd,
  });
  expect([status, stderr]).toEqual([3, ""]);
  const result = JSON.parse(stdout) as Record<string, unknown>;
  expect(result).toMatchObject({ documents: 3, failed: 1 });
  expect(result["files"]).toContainEqual({
    path: "demo/v1/index.ts",
    action: "create",
  });
  expect(result["diagnostics"]).toContainEqual(
    expect.objectContaining({
      code: "json-syntax",
      severity: "error",
      file: "specs/wrong.json",
      line: 1,
      column: 2,
      cause: expect.any(String) as string,
      fix: expect.any(String) as string,
    }),
  );
});

test("--format github prints a workflow command for each finding", () => {
  const cwd = project({ "a,b:c.json": '{"100%": }' });
  const { stderr } = gen([...ARGS, "--format", "github"], { cwd });
  expect(stderr).toMatch(
    /^::error file=specs\/a%2Cb%3Ac\.json,line=1,col=10,title=json-syntax::.*\n$/,
  );
});

describe("--format github --check", () => {
  test("annotates drift with the command that updates the output", () => {
    const cwd = project({ "it's.json": apiOf("its") });
    const args = [
      "--spec",
      "specs/demo.json",
      "specs/it's.json",
      "--out",
      "out",
      "--import-suffix",
      "ts",
      "--target",
      "client,validator",
    ];
    gen(args, { cwd });
    rmSync(path.join(cwd, "out/demo/v1/index.ts"));
    writeFileSync(path.join(cwd, "out/demo/v1/client.ts"), "");
    const check = [...args, "--check", "--quiet", "--format", "github"];
    const { status, stderr } = gen(check, { cwd });
    expect(status).toBe(1);
    expect(stderr).toBe(
      "::error file=out/demo/v1/index.ts,title=output-drift::demo/v1 must be generated again: 1 file to create, 1 to update. " +
        "Run: npx discovery-codegen --spec specs/demo.json --spec 'specs/it'\\''s.json' --out out --target client,validator --import-suffix ts\n",
    );
    gen(args, { cwd });
    expect(gen(check, { cwd })).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("has at most ten annotations, since GitHub shows no more", () => {
    const names = Array.from({ length: 20 }, (_, index) => `api${index}`);
    const cwd = project(
      Object.fromEntries(names.map((name) => [`${name}.json`, apiOf(name)])),
    );
    const { stderr } = gen([...ARGS, "--check", "--format", "github"], { cwd });
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[9]).toMatch(
      /14 more folders must be generated again: \d+ files to create/,
    );
  });
});

describe("--dump ir", () => {
  test("prints the model of one API, or a list of several", () => {
    const cwd = project();
    const args = ["--spec", "specs", "--dump", "ir"];
    const one = gen(args, { cwd });
    expect(one.status).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({
      name: "demo",
      version: "v1",
    });
    write(cwd, { "specs/else.json": apiOf("else") });
    expect(JSON.parse(gen(args, { cwd }).stdout)).toHaveLength(2);
    expect(tree(cwd).has("out")).toBe(false);
  });

  test("prints errors to standard error", () => {
    const cwd = project({ "wrong.json": "{" });
    const { status, stdout, stderr } = gen(
      ["--spec", "specs", "--dump", "ir"],
      { cwd },
    );
    expect(status).toBe(3);
    expect(stderr).toContain("json-syntax");
    expect(JSON.parse(stdout)).toMatchObject({ name: "demo" });
  });
});

describe("pipes", () => {
  test.each([
    ["--dump ir", "head -c 1"],
    ["--out out --verbose", "head -1"],
    ["--out out --format json", "true"],
  ])("%s | %s", (args, reader) => {
    const cwd = project();
    for (let index = 0; index < 20; index++)
      write(cwd, { [`specs/${index}.json`]: apiOf(`api${index}`) });
    const command = `"$0" "$1" --spec specs ${args} | ${reader}; echo "\${PIPESTATUS[0]}" >status`;
    const { stderr } = spawnSync(
      "bash",
      ["-c", command, process.execPath, path.join(ROOT, "bin/gen.js")],
      { cwd, encoding: "utf8" },
    );
    expect(stderr.replace(/^stages.*\n/, "")).toBe("");
    expect(tree(cwd).get("status")!.content).toBe("0\n");
  });

  test("a large output is complete", () => {
    const cwd = project();
    const schemas = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `Schema${index}`,
        {
          id: `Schema${index}`,
          type: "object",
          description: "long ".repeat(50),
        },
      ]),
    );
    write(cwd, { "specs/demo.json": description({ schemas }) });
    const command = `"$0" "$1" --spec specs --dump ir | (sleep 0.3; wc -c)`;
    const { stdout } = spawnSync(
      "bash",
      ["-c", command, process.execPath, path.join(ROOT, "bin/gen.js")],
      { cwd, encoding: "utf8" },
    );
    expect(Number(stdout)).toBeGreaterThan(1_000_000);
  });
});

describe("control characters never reach the terminal", () => {
  const hostile = "\u001b[2J\u0007\u009b31m\u202eevil\u2028\r";
  const name = "esc\u001b[2J\u0007.json";
  test.each(["text", "json", "github"])("--format %s", (format) => {
    const cwd = project();
    const document = description({
      kind: hostile,
      schemas: { [hostile]: { id: hostile, type: hostile, $ref: hostile } },
    });
    writeFileSync(path.join(cwd, "specs", name), JSON.stringify(document));
    const mixed = { ...document, kind: "discovery#restDescription" };
    write(cwd, { "specs/mixed.json": { ...mixed, name: "mixed" } });
    write(cwd, {
      "specs/typed.json": {
        ...mixed,
        name: 5,
        [hostile]: 5,
        title: { a: hostile },
      },
    });
    const args = [...ARGS, "--verbose", "--format", format];
    const { stdout, stderr } = gen(args, { cwd });
    expect(stdout + stderr).toContain("evil");
    expect(stdout + stderr).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/,
    );
  });

  test("--dump ir", () => {
    const cwd = project({ "demo.json": description({ description: hostile }) });
    const { stdout } = gen(["--spec", "specs", "--dump", "ir"], { cwd });
    expect(stdout).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ name: "demo" });
  });

  test("an option's value", () => {
    const { stderr } = gen([`--\u001b[2J`, "--spec", "\u001b[2J"]);
    expect(stderr).not.toContain("\u001b");
  });
});

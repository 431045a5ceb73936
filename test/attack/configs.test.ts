import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { apiOf, gen, write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";

/** Folder of a repository whose config leaves a file when it is run. */
function repository(): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.mjs": `import { writeFileSync } from "node:fs";
writeFileSync(new URL("ran", import.meta.url), "");
export default { out: "out", apis: { one: { source: "a.json" } } };
`,
    "a.json": apiOf("one"),
    "b.json": apiOf("one", "v1", "2"),
    "specs/one.v1.json": apiOf("one"),
    "gen.lock.json": { lockVersion: 1, apis: {} },
  });
  return cwd;
}

const hasRun = (cwd: string): boolean => existsSync(path.join(cwd, "ran"));

describe("a config is not run by", () => {
  test.each<[string[], number]>([
    [["--spec", "a.json", "--out", "other"], 0],
    [["--no-config"], 2],
    [["drive:v3", "--no-config"], 2],
    [["validate", "a.json"], 0],
    [["validate", "--no-config"], 2],
    [["diff", "a.json", "b.json", "--fail-on", "none"], 0],
    [["diff", "one:v1", "b.json", "--fail-on", "none", "--no-config"], 0],
    [["changelog", "one:v1", "b.json", "--no-config"], 0],
    [["docs", "--spec", "a.json", "--out", "site", "--no-config"], 0],
    [["doctor", "--no-config"], 0],
    [["fetch", "--no-config", "--offline"], 2],
    [["outdated", "--no-config", "--offline"], 2],
    [["update", "--no-config", "--offline"], 2],
    [["remove", "a:v1", "--no-config"], 2],
    [["add", "a.json", "--no-config"], 2],
    [["complete", "--", "gen", "--api", ""], 0],
    [["patch", "new", "a.json", "b.json", "--no-config"], 0],
  ])("gen %j", (args, status) => {
    const cwd = repository();
    const run = gen(args, { cwd });
    expect({ status: run.status, stderr: run.stderr }).toMatchObject({
      status,
    });
    expect(hasRun(cwd)).toBe(false);
  });

  test("but by a command that needs it", () => {
    const cwd = repository();
    expect(gen([], { cwd }).status).toBe(0);
    expect(hasRun(cwd)).toBe(true);
  });
});

test("--config and --no-config can't be used together", () => {
  const args = ["validate", "a.json", "--config", "x.json", "--no-config"];
  const { status, stderr } = gen(args, { cwd: repository() });
  expect(status).toBe(2);
  expect(stderr).toContain("--config and --no-config can't be used together");
});

test("--no-config takes precedence over GEN_CONFIG", () => {
  const cwd = repository();
  const env = { GEN_VALIDATE_CONFIG: "gen.config.mjs" };
  const args = ["validate", "a.json", "--no-config"];
  expect(gen(args, { cwd, env }).status).toBe(0);
  expect(hasRun(cwd)).toBe(false);
});

test("a config can't send a variable that was not meant for it", () => {
  const cwd = repository();
  write(cwd, {
    "gen.config.yaml":
      "out: out\napis: { one:v1: {} }\nheaders:\n  evil.example:\n    x: env:AWS_SECRET_ACCESS_KEY\n",
  });
  const args = ["fetch", "--config", "gen.config.yaml"];
  const env = { AWS_SECRET_ACCESS_KEY: "hunter2-hunter2" };
  const { status, stdout, stderr } = gen(args, { cwd, env });
  expect(status).toBe(2);
  const text = stdout + stderr;
  expect(text).toMatch(/gen.config.yaml:5:5: .*begins with GEN_/);
  expect(text).toContain("store the value in GEN_AWS_SECRET_ACCESS_KEY");
  expect(text).not.toContain("hunter2");
});

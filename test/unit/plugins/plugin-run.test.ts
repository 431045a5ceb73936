import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { failureOf, PluginRun } from "../../../src/plugins/plugin-run.js";
import { apiOf, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

const CONFIG = {
  out: "api",
  apis: { demo: { source: "specs", patches: "patches/demo.yaml" } },
};
const patch = (text: string): string =>
  `api: demo:v1\noperations:\n  - describe: schemas.Thing\n    value: ${text}\n`;

function project(): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.json": CONFIG,
    "specs/demo.json": apiOf("demo"),
    "patches/demo.yaml": patch("First."),
  });
  return cwd;
}

const schemas = (cwd: string): string =>
  readFileSync(path.join(cwd, "api/demo/v1/schemas.ts"), "utf8");

test("config, documents and patches are inputs", async () => {
  const cwd = project();
  const run = new PluginRun({ cwd });
  expect(await run.run()).toEqual([]);
  const relative = (names: readonly string[]): string[] =>
    names.map((name) => path.relative(cwd, name)).sort();
  expect(relative(run.inputs.files)).toEqual([
    "gen.config.json",
    "patches/demo.yaml",
    "specs/demo.json",
  ]);
  expect(relative(run.inputs.folders)).toEqual(["specs"]);
  expect(schemas(cwd)).toContain("First.");
  write(cwd, { "patches/demo.yaml": patch("Second.") });
  expect(run.change(path.join(cwd, "src/other.ts"))).toBe(false);
  expect(run.change(path.join(cwd, "specs-other/a.json"))).toBe(false);
  await run.run();
  expect(schemas(cwd)).toContain("First.");
  expect(run.change(path.join(cwd, "patches/demo.yaml"))).toBe(true);
  await run.run();
  expect(schemas(cwd)).toContain("Second.");
  expect(run.change(path.join(cwd, "specs/new.json"))).toBe(true);
});

test("a broken config keeps the inputs and the output, until it is fixed", async () => {
  const cwd = project();
  const run = new PluginRun({ cwd });
  await run.run();
  write(cwd, { "gen.config.json": "{" });
  expect(run.checkInputs()).toBe(true);
  const failure = failureOf(await run.run());
  expect(failure).toMatchObject({
    file: path.join(cwd, "gen.config.json"),
    line: 1,
    isError: true,
  });
  expect(schemas(cwd)).toContain("First.");
  expect(run.change(path.join(cwd, "specs/demo.json"))).toBe(true);
  write(cwd, { "gen.config.json": CONFIG });
  expect(await run.run()).toEqual([]);
});

test("runs at the same time generate once", async () => {
  const cwd = project();
  const run = new PluginRun({ cwd });
  const [first, second] = await Promise.all([run.run(), run.run()]);
  expect(second).toBe(first);
});

test("control characters of a document are escaped", async () => {
  const cwd = project();
  write(cwd, { "specs/demo.json": { ...apiOf("demo"), kind: "a\u001b[31mb" } });
  const [message] = await new PluginRun({ cwd }).run();
  expect(message?.text).toMatch(/^specs\/demo\.json:2:3: kind-wrong: /);
  expect(message?.text).not.toContain("\u001b");
});

test("the folder of a glob is an input, and a new document is generated", async () => {
  const cwd = project();
  const apis = { all: { source: "specs/*.json" } };
  write(cwd, { "gen.config.json": { out: "api", apis } });
  const run = new PluginRun({ cwd });
  expect(await run.run()).toEqual([]);
  expect(run.inputs.folders).toEqual([path.join(cwd, "specs")]);
  write(cwd, { "specs/other.json": apiOf("other") });
  expect(run.change(path.join(cwd, "specs/other.json"))).toBe(true);
  expect(await run.run()).toEqual([]);
  expect(run.inputs.files).toContain(path.join(cwd, "specs/other.json"));
});

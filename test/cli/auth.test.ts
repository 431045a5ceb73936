import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, tree, write } from "./support.js";

const run = ["--spec", "a.json", "--out", "out"];

function project(): { cwd: string; modules: () => string[] } {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": apiOf("alpha") });
  const modules = (): string[] =>
    [...tree(path.join(cwd, "out")).keys()].filter((name) =>
      /^runtime\/auth\/.*\.(ts|js)$/.test(name),
    );
  return { cwd, modules };
}

test("--auth copies the modules for credentials; --prune without it deletes them", () => {
  const { cwd, modules } = project();
  expect(gen(run, { cwd }).status).toBe(0);
  expect(modules()).toEqual([]);
  expect(gen([...run, "--auth"], { cwd }).status).toBe(0);
  expect(modules()).toContain("runtime/auth/index.ts");
  expect(modules()).toContain("runtime/auth/node/login.ts");
  expect(gen([...run, "--auth", "--check"], { cwd }).status).toBe(0);
  const count = modules().length;
  // Without --prune, the run updates what the output contains.
  expect(gen([...run, "--emit", "js"], { cwd }).status).toBe(0);
  expect(modules()).toContain("runtime/auth/index.js");
  expect(gen(run, { cwd }).status).toBe(0);
  expect(modules().length).toBe(count);
  expect(gen([...run, "--prune"], { cwd }).status).toBe(0);
  expect(modules()).toEqual([]);
});

test("auth: true in a config, until it is removed", () => {
  const { cwd, modules } = project();
  const config = { out: "out", apis: { "alpha:v1": { source: "a.json" } } };
  write(cwd, { "gen.config.json": { ...config, auth: true } });
  expect(gen([], { cwd }).status).toBe(0);
  expect(modules()).toContain("runtime/auth/index.ts");
  write(cwd, { "gen.config.json": config });
  expect(gen([], { cwd }).status).toBe(0);
  expect(modules()).toEqual([]);
});

test("--runtime package copies nothing", () => {
  const { cwd, modules } = project();
  const args = [...run, "--auth", "--runtime", "package"];
  expect(gen(args, { cwd }).status).toBe(0);
  expect(modules()).toEqual([]);
});

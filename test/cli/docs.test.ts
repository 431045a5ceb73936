import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, write } from "./support.js";

test("gen docs writes a site; invalid documents are reported and left out", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/a.json": apiOf("a"),
    "specs/broken.json": '{ "kind": "discovery#restDescription", "name": 1 }',
  });
  const args = ["docs", "--spec", "specs", "--out", "site"];
  const { status, stdout, stderr } = gen(args, { cwd });
  expect(stdout).toMatch(
    /^\d+ files \(0\.\d MB\) for 1 document written to site/,
  );
  expect(stderr).toContain("specs/broken.json:1:");
  expect(status).toBe(3);
  const home = readFileSync(path.join(cwd, "site/index.html"), "utf8");
  expect(home).toContain('href="apis/a/v1/index.html"');
});

test("gen docs writes nothing without documents or into a folder with other files", () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("a"), "mine/notes.txt": "" });
  const missing = gen(["docs", "--spec", "none", "--out", "site"], { cwd });
  expect([missing.status, existsSync(path.join(cwd, "site"))]).toEqual([
    2,
    false,
  ]);
  const foreign = gen(["docs", "--spec", "specs", "--out", "mine"], { cwd });
  expect(foreign.status).toBe(2);
  expect(foreign.stderr).toContain("mine contains notes.txt");
});

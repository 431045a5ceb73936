import { execFileSync } from "node:child_process";
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

test("gen docs shows changes since a revision or since previous documents", () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("a") });
  const git = (...args: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  write(cwd, {
    "old/a.json": apiOf("a"),
    "specs/a.json": apiOf("a", "v1", "2"),
    "specs/b.json": apiOf("b"),
  });
  const read = (file: string): string =>
    readFileSync(path.join(cwd, file), "utf8");
  const docs = (...args: string[]) =>
    gen(["docs", "--spec", "specs", "--out", "site", ...args], { cwd });
  expect(docs().status).toBe(0);
  expect(existsSync(path.join(cwd, "site/apis/a/v1/what-changed.md"))).toBe(
    false,
  );
  expect(docs("--since", "HEAD").status).toBe(0);
  const changes = read("site/apis/a/v1/what-changed.md");
  expect(changes).toContain(
    "- **Breaking:** `Thing.name1`: the property was removed",
  );
  expect(read("site/apis/b/v1/index.html")).toContain("new API");
  expect(docs("--previous", "old").status).toBe(0);
  expect(read("site/apis/a/v1/what-changed.md")).toBe(changes);
  expect(
    gen(["docs", "--spec", "specs/*.json", "--out", "s2", "--since", "HEAD"], {
      cwd,
    }).status,
  ).toBe(0);
  expect(read("s2/apis/a/v1/what-changed.md")).toBe(changes);
});

test("gen docs writes nothing if the previous documents can't be read", () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("a"), "bad/a.json": "{" });
  const docs = (...args: string[]) =>
    gen(["docs", "--spec", "specs", "--out", "site", ...args], { cwd });
  expect([
    docs("--previous", "none").status,
    docs("--previous", "bad").status,
    docs("--since", "HEAD").status,
    docs("--since", "HEAD", "--previous", "specs").status,
    existsSync(path.join(cwd, "site")),
  ]).toEqual([2, 3, 2, 2, false]);
});

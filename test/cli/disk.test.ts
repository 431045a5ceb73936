import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, texts, tree, write } from "./support.js";

const ARGS = ["--spec", "specs", "--out", "out", "--runtime", "package"];

function project(): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/demo.json": apiOf("demo"),
    "specs/else.json": apiOf("else"),
  });
  return cwd;
}

/** Writes a document whose output is larger than the disk. */
function grow(cwd: string): void {
  const long = {
    ...apiOf("demo", "v1", "2"),
    description: "long ".repeat(60_000),
  };
  write(cwd, { "specs/demo.json": long });
}

function expectRefused(
  { status, stderr }: { status: number | null; stderr: string },
  reason: RegExp,
): void {
  expect(stderr).toMatch(/error output-unwritable: .*/);
  expect(stderr).toMatch(reason);
  expect(stderr).toContain("fix:   Check permissions and free space");
  expect(stderr.match(/output-unwritable/g)).toHaveLength(1);
  expect(status).toBe(2);
}

function temporaryIn(out: string): string[] {
  return [...tree(out).keys()].filter((name) => /\.tmp$|\.gen-lock/.test(name));
}

/** Expects that each file is complete: the old one, or a new one. */
function expectComplete(
  out: string,
  before: Readonly<Record<string, string>>,
): void {
  expect(temporaryIn(out)).toEqual([]);
  const left = texts(out);
  expect(Object.keys(left)).toEqual(Object.keys(before));
  const changed = Object.keys(left).filter(
    (name) => left[name] !== before[name],
  );
  for (const name of changed) {
    if (name !== ".gen-manifest.json") expect(left[name]).toMatch(/\}\n$|;\n$/);
  }
}

/** Mounts a disk of 128 kB; returns false if that is not permitted. */
function mountSmall(folder: string): boolean {
  mkdirSync(folder);
  const mount = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    "size=128k",
    "tmpfs",
    folder,
  ]);
  if (mount.status !== 0) return false;
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return true;
}

test("a full disk leaves complete files and no temporary files", (context) => {
  const cwd = project();
  const out = path.join(cwd, "out");
  if (!mountSmall(out)) return context.skip("mounting is not permitted here");
  expect(gen(ARGS, { cwd }).status).toBe(0);
  const before = texts(out);
  grow(cwd);
  expectRefused(gen(ARGS, { cwd }), /ENOSPC/);
  expectComplete(out, before);
  write(cwd, { "specs/demo.json": apiOf("demo", "v1", "2") });
  expect(gen(ARGS, { cwd }).status).toBe(0);
});

test("a limit of the file size leaves complete files", (context) => {
  const cwd = project();
  const out = path.join(cwd, "out");
  expect(gen(ARGS, { cwd }).status).toBe(0);
  const before = texts(out);
  grow(cwd);
  const limited = `ulimit -f 64 && exec "$0" "$@"`;
  const { status, stderr } = spawnSync(
    "bash",
    ["-c", limited, process.execPath, path.join(ROOT, "bin/gen.js"), ...ARGS],
    { cwd, encoding: "utf8" },
  );
  if (status === null) return context.skip("the limit kills the process here");
  expectRefused({ status, stderr }, /EFBIG/);
  expectComplete(out, before);
});

test("a read-only disk is reported", (context) => {
  const cwd = project();
  const out = path.join(cwd, "out");
  if (!mountSmall(out)) return context.skip("mounting is not permitted here");
  expect(gen(ARGS, { cwd }).status).toBe(0);
  const before = texts(out);
  execFileSync("mount", ["-o", "remount,ro", out]);
  expect(gen(ARGS, { cwd }).status).toBe(0);
  grow(cwd);
  expect(gen([...ARGS, "--check"], { cwd }).status).toBe(1);
  expectRefused(gen(ARGS, { cwd }), /EROFS/);
  expect(texts(out)).toEqual(before);
});

test("a folder without write permission is reported", (context) => {
  if (process.getuid?.() === 0)
    return context.skip("root may write everything");
  const cwd = project();
  mkdirSync(path.join(cwd, "out"), { mode: 0o555 });
  expectRefused(gen(ARGS, { cwd }), /EACCES/);
});

test.each([
  ["a file", "specs/demo.json", /must be a folder/],
  ["below a file", "specs/demo.json/out", /ENOTDIR|must be a folder/],
  ["where nobody can write", "/proc/out", /ENOENT|EACCES|EPERM/],
  ["a name that is too long", "x".repeat(300), /ENAMETOOLONG/],
  ["a link to nowhere", "link/out", /ENOENT|EEXIST/],
  ["a link to itself", "loop", /ELOOP/],
])("--out that is %s", (_, out, reason) => {
  const cwd = project();
  symlinkSync("nowhere", path.join(cwd, "link"));
  symlinkSync("loop", path.join(cwd, "loop"));
  const before = tree(cwd);
  const args = ["--spec", "specs", "--out", out];
  expectRefused(gen(args, { cwd }), reason);
  expect(tree(cwd)).toEqual(before);
  expect([1, 2]).toContain(gen([...args, "--check"], { cwd }).status);
  expect(tree(cwd)).toEqual(before);
});

test("documents are checked even if the output can't be written", () => {
  const cwd = project();
  write(cwd, { "specs/wrong.json": "{" });
  const { stderr, status } = gen(
    ["--spec", "specs", "--out", "specs/demo.json"],
    { cwd },
  );
  expect(stderr).toContain("specs/wrong.json:1:2: error json-syntax");
  expect(stderr).toContain("output-unwritable");
  expect(status).toBe(2);
});

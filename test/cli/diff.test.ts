import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, write } from "./support.js";

const SPEC = { "specs/demo.v1.json": apiOf("demo") };

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

/** The next revision renames a property. */
const NEXT = { "specs/demo.v1.json": apiOf("demo", "v1", "2") };

describe("gen diff", () => {
  test("exits with 1 for a breaking change, and prints its position", () => {
    const cwd = temporaryFolder();
    write(cwd, { ...SPEC, "next/demo.v1.json": apiOf("demo", "v1", "2") });
    const { status, stdout, stderr } = gen(["diff", "specs", "next"], { cwd });
    expect(stderr).toBe("");
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^specs\/demo\.v1\.json:\d+:\d+: breaking Thing\.name1: the property was removed$/m,
    );
    expect(stdout).toContain("suggested version: major");
  });

  test("requires two operands", () => {
    const { status, stderr } = gen(["diff", "specs"], {
      cwd: temporaryFolder(),
    });
    expect(status).toBe(2);
    expect(stderr).toContain("OLD and NEW");
  });
});

test("--check prints the changes of documents, and gen changelog lists them", () => {
  const cwd = temporaryFolder();
  write(cwd, SPEC);
  const options = ["--spec", "specs", "--out", "out"];
  expect(gen(options, { cwd }).status).toBe(0);
  git(cwd, "init", "-q");
  git(cwd, "add", ".");
  git(cwd, "commit", "-qm", "output");
  write(cwd, NEXT);
  const check = gen([...options, "--check"], { cwd });
  expect(check.status).toBe(1);
  expect(check.stdout).toContain(
    "breaking Thing.name1: the property was removed",
  );
  const { status, stdout } = gen(["changelog"], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain(
    "**Breaking:** `Thing.name1`: the property was removed",
  );
});

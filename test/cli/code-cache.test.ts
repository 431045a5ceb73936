import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LARGE_DOCUMENT } from "../../src/generate/generated-document.js";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, genProcess, texts, write } from "./support.js";

/** Runs the command in a folder with its own cache. */
function project() {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": apiOf("a") });
  const cache = temporaryFolder();
  const env = { XDG_CACHE_HOME: cache };
  const run = (out: string, target = "client") => {
    const args = ["--spec", "a.json", "--out", out, "--target", target];
    const { status, stderr } = genProcess(["--quiet", ...args], { cwd, env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return texts(path.join(cwd, out));
  };
  const folder = path.join(cache, "discovery-codegen/code");
  /** Returns the number of the file, which differs after each write. */
  const stored = () =>
    readdirSync(folder).map((name) => statSync(path.join(folder, name)).ino);
  return { cwd, env, run, stored, folder };
}

// If V8 rejected the stored code, each run would store it again.
test("the first run of a target stores compiled code, which later runs use", () => {
  const { cwd, env, run, stored } = project();
  const before = run("one");
  const first = stored();
  expect(first).toHaveLength(1);
  expect(run("two")).toEqual(before);
  expect(stored()).toEqual(first);

  run("three", "server");
  const second = stored();
  expect(second).not.toEqual(first);
  run("four", "server");
  run("five");
  expect(genProcess(["--version"], { cwd, env }).status).toBe(0);
  expect(stored()).toEqual(second);
});

// A run with many documents changes other settings than one with a large document.
test.each([
  { documents: 16, size: 80_000 },
  { documents: 1, size: LARGE_DOCUMENT },
])(
  "code of a run that changed settings of V8 is accepted: $documents documents of $size bytes",
  ({ documents, size }) => {
    const { cwd, env, stored } = project();
    const apis = Array.from({ length: documents }, (_, index) => `api${index}`);
    const description = "x".repeat(size);
    for (const name of apis)
      write(cwd, { [`${name}.json`]: { ...apiOf(name), description } });
    const run = (...args: string[]) =>
      expect(genProcess(["--quiet", ...args], { cwd, env }).status).toBe(0);
    const specs = apis.flatMap((name) => ["--spec", `${name}.json`]);
    run(...specs, "--out", "large");
    const first = stored();
    run("--spec", "a.json", "--out", "one");
    expect(stored()).toEqual(first);
  },
);

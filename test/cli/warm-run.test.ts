import { statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { check, generate } from "../../src/index.js";
import * as fileContent from "../../src/write/file-content.js";
import { loadBytes } from "../../src/load/load.js";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, texts, write } from "./support.js";

vi.mock(import("../../src/write/file-content.js"), async (original) => {
  const actual = await original();
  return {
    ...actual,
    hasHash: vi.fn(actual.hasHash),
    hasHashIn: vi.fn(actual.hasHashIn),
  };
});
vi.mock(import("../../src/load/load.js"), async (original) => {
  const actual = await original();
  return { ...actual, loadBytes: vi.fn(actual.loadBytes) };
});

/** Number of files of the output that were read, and of documents parsed. */
function work(): { readonly read: number; readonly parsed: number } {
  return {
    read:
      vi.mocked(fileContent.hasHash).mock.calls.length +
      vi.mocked(fileContent.hasHashIn).mock.calls.length,
    parsed: vi.mocked(loadBytes).mock.calls.length,
  };
}

/** Lets files seem to be older than the steps of the times of file systems. */
function wait(): void {
  const later = Date.now() + 10_000;
  vi.spyOn(Date, "now").mockReturnValue(later);
}

beforeEach(() => void vi.clearAllMocks());
afterEach(() => void vi.restoreAllMocks());

/** Output that a run has compared by content after a while. */
async function project() {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("a"), "specs/b.json": apiOf("b") });
  const options = { spec: "specs", out: "out", cwd };
  const out = path.join(cwd, "out");
  await generate(options);
  const apiFiles = Object.keys(texts(out)).filter((name) =>
    /^[ab]\//.test(name),
  ).length;
  vi.clearAllMocks();
  return { cwd, out, options, apiFiles };
}

test("a run with nothing to do reads files once after they were written, then only their times", async () => {
  const { options, apiFiles } = await project();
  await generate(options);
  expect(work()).toEqual({ read: apiFiles, parsed: 0 });
  await generate(options);
  expect(work().read).toBe(2 * apiFiles);
  wait();
  await generate(options);
  expect(work().read).toBe(3 * apiFiles);
  await generate(options);
  expect(work()).toEqual({ read: 3 * apiFiles, parsed: 0 });
});

test("--check always compares the content", async () => {
  const { options, apiFiles } = await project();
  wait();
  await generate(options);
  await generate(options);
  vi.clearAllMocks();
  expect((await check(options)).changed).toBe(false);
  expect(work()).toEqual({ read: apiFiles, parsed: 0 });
});

test("a file of the same size with its old times is generated again", async () => {
  const { out, options } = await project();
  wait();
  await generate(options);
  await generate(options);
  const file = path.join(out, "a/v1/index.ts");
  const { atime, mtime } = statSync(file);
  const text = texts(out)["a/v1/index.ts"]!;
  writeFileSync(file, text.replace("export", "EXPORT"));
  utimesSync(file, atime, mtime);
  vi.clearAllMocks();
  const { files } = await generate(options);
  const changed = files.filter(({ action }) => action !== "same");
  expect(changed).toEqual([{ path: "a/v1/index.ts", action: "update" }]);
  expect(work().parsed).toBe(1);
  expect(texts(out)["a/v1/index.ts"]).toBe(text);
});

test("only changed documents are parsed", async () => {
  const { cwd, options } = await project();
  write(cwd, { "specs/b.json": apiOf("b", "v1", "2") });
  await generate(options);
  expect(work().parsed).toBe(1);
});

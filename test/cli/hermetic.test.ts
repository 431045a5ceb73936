import { utimesSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, texts, tree, write } from "./support.js";

afterEach(() => {
  vi.doUnmock("#built/runtime.js");
  vi.resetModules();
});

/** Files of a folder with inode and time; folders are left out. */
function files(folder: string) {
  return new Map([...tree(folder)].filter(([, { kind }]) => kind !== "folder"));
}

test("files whose bytes do not change keep their times and inodes", async () => {
  const { generate } = await import("../../src/index.js");
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  write(cwd, { "specs/a.json": apiOf("a"), "specs/b.json": apiOf("b") });
  const options = { spec: "specs", out: "out", cwd };
  await generate(options);
  for (const name of files(out).keys()) utimesSync(path.join(out, name), 1, 1);
  const before = files(out);
  await generate(options);
  expect(files(out)).toEqual(before);

  const changed = apiOf("a");
  const { Thing } = changed["schemas"] as { Thing: { description: string } };
  Thing.description = "Changed.";
  write(cwd, { "specs/a.json": changed });
  await generate(options);
  const after = files(out);
  const different = [...after.keys()].filter(
    (name) => after.get(name)!.inode !== before.get(name)?.inode,
  );
  expect(different.sort()).toEqual([".gen-manifest.json", "a/v1/schemas.ts"]);
  const kept = [...after].filter(([name]) => !different.includes(name));
  expect(kept.length).toBeGreaterThan(20);
  for (const [name, entry] of kept) expect(entry).toEqual(before.get(name));
});

test("the output depends on no folder, locale, time zone or user", () => {
  const outputs = ["", "deep/er/", "ünïcode folder/"].map((folder, index) => {
    const cwd = path.join(temporaryFolder(), folder);
    write(cwd, { "specs/b.json": apiOf("b"), "specs/a.json": apiOf("a") });
    const env: Record<string, string> = [
      {},
      { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
      { HOME: path.join(cwd, "home"), XDG_CACHE_HOME: "", USER: "somebody" },
    ][index]!;
    const run = gen(["--spec", "specs", "--out", "out"], { cwd, env });
    expect(run.status).toBe(0);
    return texts(path.join(cwd, "out"));
  });
  expect(outputs[1]).toEqual(outputs[0]);
  expect(outputs[2]).toEqual(outputs[0]);
  expect(Object.keys(outputs[0]!)).toContain(".gen-manifest.json");
});

test("a new version of the tool that prints the same bytes changes nothing", async () => {
  const { generate } = await import("../../src/index.js");
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  write(cwd, { "specs/a.json": apiOf("a") });
  const options = { spec: "specs", out: "out", cwd };
  await generate(options);
  const before = tree(out);

  vi.resetModules();
  vi.doMock("#built/runtime.js", () => ({
    version: "99.0.0",
    fingerprint: "other",
  }));
  const newer = await import("../../src/index.js");
  const checked = await newer.check(options);
  expect(checked.changed).toBe(false);
  expect((await newer.generate(options)).changed).toBe(false);
  expect(files(out)).toEqual(
    new Map([...before].filter(([, { kind }]) => kind !== "folder")),
  );
});

import { rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/index.js";
import { apiOf, texts, tree, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

/** Creates a folder with three documents and generates from `spec`. */
async function project(spec: string | string[], base = "") {
  const root = temporaryFolder();
  const cwd = path.join(root, base);
  write(cwd, { "keep.txt": "" });
  write(root, {
    "specs/a.json": apiOf("a"),
    "specs/b.json": apiOf("b"),
    "specs/deep/c.json": apiOf("c"),
  });
  const run = async (given = spec) => {
    const result = await generate({ spec: given, out: "out", cwd });
    return result.diagnostics
      .filter(({ severity }) => severity !== "info")
      .map(({ code }) => code);
  };
  const apis = () =>
    [...tree(path.join(cwd, "out")).keys()].filter((name) =>
      /^[abcd]\/v\d$/.test(name),
    );
  expect(await run()).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
  return { cwd, root, run, apis, specs: path.join(root, "specs") };
}

test.each([
  ["specs", "specs"],
  ["specs", "./specs/"],
  ["specs/**/*.json", "specs/**/*.json"],
])(
  "the output of a document removed from %s is deleted",
  async (spec, then) => {
    const { run, apis, specs } = await project(spec);
    rmSync(path.join(specs, "b.json"));
    expect(await run(then)).toEqual([]);
    expect(apis()).toEqual(["a/v1", "c/v1"]);
  },
);

test("the output of a document removed from a parent folder is deleted", async () => {
  const { run, apis, specs } = await project("../../specs", "packages/app");
  rmSync(path.join(specs, "b.json"));
  expect(await run()).toEqual([]);
  expect(apis()).toEqual(["a/v1", "c/v1"]);
});

test("a missing file that --spec names deletes nothing", async () => {
  const { run, apis, specs } = await project([
    "specs/a.json",
    "specs/b.json",
    "specs/deep",
  ]);
  rmSync(path.join(specs, "b.json"));
  expect(await run()).toEqual(["source-missing"]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
});

test.each([
  [
    "missing",
    "source-missing",
    (specs: string) => rmSync(specs, { recursive: true }),
  ],
  [
    "empty",
    "source-empty",
    (specs: string) => {
      rmSync(specs, { recursive: true });
      write(specs, { "readme.txt": "" });
    },
  ],
])("a %s folder deletes nothing", async (_, code, change) => {
  const { run, apis, specs, cwd } = await project("specs");
  const before = texts(path.join(cwd, "out"));
  change(specs);
  expect(await run()).toEqual([code]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
  expect(texts(path.join(cwd, "out"))).toEqual(before);
});

test("a broken document keeps its output, and the others are generated", async () => {
  const { run, apis, specs, cwd } = await project("specs");
  const out = path.join(cwd, "out");
  const before = texts(out)["b/v1/schemas.ts"];
  write(specs, { "b.json": "{", "a.json": apiOf("a", "v1", "2") });
  expect(await run()).toEqual(["json-syntax"]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
  expect(texts(out)["b/v1/schemas.ts"]).toBe(before);
  expect(texts(out)["a/v1/schemas.ts"]).toContain("Revision 2.");
  write(specs, { "b.json": apiOf("b", "v1", "2") });
  expect(await run()).toEqual([]);
  expect(texts(out)["b/v1/schemas.ts"]).toContain("Revision 2.");
});

test("a listed document with a new version replaces the old output", async () => {
  const { run, apis, specs } = await project("specs");
  write(specs, { "b.json": apiOf("b", "v2") });
  expect(await run()).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v2", "c/v1"]);
});

test("a renamed document keeps its output", async () => {
  const { run, apis, specs, cwd } = await project("specs");
  const before = tree(path.join(cwd, "out/b"));
  rmSync(path.join(specs, "b.json"));
  write(specs, { "z.json": apiOf("b") });
  expect(await run()).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
  expect(tree(path.join(cwd, "out/b"))).toEqual(before);
});

test("runs for different documents into one folder keep the output of each other", async () => {
  const { run, apis, specs } = await project([
    "specs/a.json",
    "specs/b.json",
    "specs/deep",
  ]);
  write(specs, { "other/d.json": apiOf("d") });
  expect(await run("specs/other")).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1", "d/v1"]);
  write(specs, { "deep/c2.json": apiOf("c", "v2") });
  rmSync(path.join(specs, "deep/c.json"));
  expect(await run("specs/deep")).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v2", "d/v1"]);
});

test("versions of an API that are generated in separate runs are all kept", async () => {
  const { run, apis, specs } = await project("specs");
  write(specs, { "../more/a2.json": apiOf("a", "v2") });
  expect(await run("more/a2.json")).toEqual([]);
  expect(apis()).toEqual(["a/v1", "a/v2", "b/v1", "c/v1"]);
});

test("a file that two arguments name is read once", async () => {
  const { run, apis } = await project("specs");
  expect(await run(["specs", "specs/a.json", "./specs/*.json"])).toEqual([]);
  expect(apis()).toEqual(["a/v1", "b/v1", "c/v1"]);
});

import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { check, generate, type GenerateResult } from "../../../src/index.js";
import { apiOf, entryOf, texts, tree, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

const THINGS = "demo/v1/resources/things.ts";

/** Creates a folder with specs/ and, after a run, out/. */
function project(files: Record<string, object> = {}): {
  readonly cwd: string;
  readonly out: string;
  run(
    mode?: typeof generate,
    more?: { readonly force?: boolean },
  ): Promise<GenerateResult>;
} {
  const cwd = temporaryFolder();
  write(path.join(cwd, "specs"), files);
  return {
    cwd,
    out: path.join(cwd, "out"),
    run: (mode = generate, more = {}) =>
      mode({ spec: "specs", out: "out", cwd, ...more }),
  };
}

function actions({ files }: GenerateResult): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { path: file, action } of files) {
    if (/^(?:runtime\/|\.gen-manifest)/.test(file)) continue;
    (found[action] ??= []).push(file);
  }
  for (const list of Object.values(found)) list.sort();
  return found;
}

const codes = ({ diagnostics }: GenerateResult): string[] =>
  diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code }) => code);

test("a first run creates all files, a second one changes none", async () => {
  const { run, out } = project({ "demo.json": apiOf("demo") });
  const first = await run();
  expect(Object.keys(actions(first))).toEqual(["create"]);
  expect(first.changed).toBe(true);
  const before = tree(out);
  const second = await run();
  expect(Object.keys(actions(second))).toEqual(["same"]);
  expect(second.changed).toBe(false);
  expect(tree(out)).toEqual(before);
});

test("only changed files are written; others keep inode and time", async () => {
  const api = apiOf("demo");
  const { run, cwd, out } = project({
    "demo.json": api,
    "else.json": apiOf("else"),
  });
  await run();
  const before = tree(out);
  const next = structuredClone(api) as {
    resources: Record<string, { methods: { get: { path: string } } }>;
  };
  next.resources["things"]!.methods.get.path = "changed/path";
  next.resources["others"]!.methods.get.path = "changed/too";
  write(path.join(cwd, "specs"), { "demo.json": next });
  expect(actions(await run())["update"]).toEqual([
    "demo/v1/client.ts",
    "demo/v1/resources/others.ts",
    THINGS,
  ]);
  const files = [...tree(out)].filter(
    ([name, { kind }]) => kind === "file" && !name.startsWith("."),
  );
  const changed = files.filter(
    ([name, entry]) => entry.content !== before.get(name)!.content,
  );
  expect(changed.map(([name]) => name)).toEqual([
    "demo/v1/client.ts",
    "demo/v1/resources/others.ts",
    THINGS,
  ]);
  for (const [name, entry] of files)
    if (!changed.some(([one]) => one === name))
      expect(entry).toEqual(before.get(name));
});

test("check reports the same actions as a run that writes, and writes nothing", async () => {
  const { run, cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
    "third.json": apiOf("third"),
  });
  await run();
  write(path.join(cwd, "specs"), { "demo.json": apiOf("demo", "v1", "2") });
  rmSync(path.join(cwd, "specs/else.json"));
  rmSync(path.join(out, "third/v1/index.ts"));
  const before = tree(cwd);
  const checked = await run(check);
  expect(tree(cwd)).toEqual(before);
  expect(checked.changed).toBe(true);
  expect(Object.keys(actions(checked)).sort()).toEqual([
    "create",
    "delete",
    "same",
    "update",
  ]);
  expect((await run()).files).toEqual(checked.files);
  expect((await run(check)).changed).toBe(false);
});

test("a check does not create the output folder", async () => {
  const { run, cwd } = project({ "demo.json": apiOf("demo") });
  const before = tree(cwd);
  expect((await run(check)).changed).toBe(true);
  expect(tree(cwd)).toEqual(before);
});

test("edited generated files are restored", async () => {
  const { run, out } = project({ "demo.json": apiOf("demo") });
  await run();
  const before = texts(out);
  const index = path.join(out, "demo/v1/index.ts");
  utimesSync(index, 1, 1);
  expect((await run()).changed).toBe(false);
  writeFileSync(index, "// edited\n");
  rmSync(path.join(out, THINGS));
  expect(actions(await run(check))).toMatchObject({
    update: ["demo/v1/index.ts"],
    create: [THINGS],
  });
  await run();
  expect(texts(out)).toEqual(before);
});

test("obsolete files are deleted with the folders that become empty", async () => {
  const { run, cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  await run();
  rmSync(path.join(cwd, "specs/demo.json"));
  expect(actions(await run())["delete"]).toContain(THINGS);
  expect(
    [...tree(out).keys()].filter((name) => name.startsWith("demo")),
  ).toEqual([]);
  expect(tree(out).has("else/v1/index.ts")).toBe(true);
});

test("the file of a removed resource is deleted", async () => {
  const api = apiOf("demo") as { resources: Record<string, unknown> };
  const { run, cwd, out } = project({ "demo.json": api });
  await run();
  // A document without methods would have no client at all.
  const { things } = api.resources as { things: { methods: object } };
  Object.assign(api, { methods: things.methods });
  delete api.resources["things"];
  delete api.resources["others"];
  write(path.join(cwd, "specs"), { "demo.json": api });
  expect(actions(await run())["delete"]).toEqual([
    "demo/v1/resources/others.ts",
    THINGS,
  ]);
  expect(tree(out).has(THINGS)).toBe(false);
});

test("an edited obsolete file is reported and not deleted", async () => {
  const { run, cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  await run();
  writeFileSync(path.join(out, THINGS), "// mine now\n");
  rmSync(path.join(cwd, "specs/demo.json"));
  const result = await run();
  expect(codes(result)).toEqual(["output-edited"]);
  expect(actions(result)["edited"]).toEqual([THINGS]);
  const left = Object.keys(texts(out)).filter((name) =>
    name.startsWith("demo"),
  );
  expect(left).toEqual([THINGS]);
  expect(texts(out)[THINGS]).toBe("// mine now\n");
  // Now the file is foreign and no longer reported.
  expect(codes(await run())).toEqual([]);
});

test("--force deletes an edited obsolete file", async () => {
  const { run, cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  await run();
  writeFileSync(path.join(out, THINGS), "// mine now\n");
  rmSync(path.join(cwd, "specs/demo.json"));
  await run(generate, { force: true });
  expect(tree(out).has("demo")).toBe(false);
});

test("a foreign file at an output path stops only its API", async () => {
  const { run, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  write(out, { [THINGS]: "// mine\n" });
  const result = await run();
  expect(codes(result)).toEqual(["output-foreign"]);
  expect(actions(result)["foreign"]).toEqual([THINGS]);
  const files = Object.keys(texts(out));
  expect(files.filter((name) => name.startsWith("demo"))).toEqual([THINGS]);
  expect(files).toContain("else/v1/index.ts");
  expect(texts(out)[THINGS]).toBe("// mine\n");
});

test("--force overwrites a foreign file, which is a generated file afterwards", async () => {
  const { run, cwd, out } = project({ "demo.json": apiOf("demo") });
  write(out, { [THINGS]: "// mine\n" });
  expect(actions(await run(generate, { force: true }))["update"]).toEqual([
    THINGS,
  ]);
  write(path.join(cwd, "specs"), { "demo.json": apiOf("demo", "v1", "2") });
  expect(codes(await run())).toEqual([]);
});

test("a foreign file that equals the output is adopted", async () => {
  const { run, out } = project({ "demo.json": apiOf("demo") });
  await run();
  rmSync(path.join(out, ".gen-manifest.json"));
  const before = tree(out);
  expect(Object.keys(actions(await run()))).toEqual(["same"]);
  const after = tree(out);
  expect(after.has(".gen-manifest.json")).toBe(true);
  for (const [name, entry] of before)
    if (entry.kind === "file") expect(after.get(name)).toEqual(entry);
});

test("a folder at the path of a file is never removed, even with --force", async () => {
  const { run, out } = project({ "demo.json": apiOf("demo") });
  mkdirSync(path.join(out, THINGS), { recursive: true });
  expect(codes(await run(generate, { force: true }))).toEqual([
    "output-foreign",
  ]);
  expect(entryOf(path.join(out, THINGS)).kind).toBe("folder");
});

test("an unused runtime is removed", async () => {
  const { cwd, out } = project({ "demo.json": apiOf("demo") });
  const options = { spec: "specs", out: "out", cwd };
  await generate(options);
  expect(tree(out).has("runtime")).toBe(true);
  await generate({ ...options, runtime: "package" });
  expect(tree(out).has("runtime")).toBe(false);
  await generate(options);
  expect(tree(out).has("runtime")).toBe(true);
});

test("a runtime that another API imports is not removed", async () => {
  const { cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  await generate({ spec: "specs", out: "out", cwd });
  await generate({
    spec: "specs/demo.json",
    out: "out",
    cwd,
    runtime: "package",
  });
  expect(tree(out).has("runtime")).toBe(true);
});

test("a changed option regenerates unchanged documents", async () => {
  const { cwd, out } = project({
    "demo.json": apiOf("demo"),
    "else.json": apiOf("else"),
  });
  const both = { spec: "specs", out: "out", cwd };
  await generate(both);
  await generate({ ...both, spec: "specs/demo.json", importSuffix: "ts" });
  await generate({ ...both, importSuffix: "ts" });
  const index = texts(out)["else/v1/index.ts"];
  expect(index).toContain('from "./client.ts"');
});

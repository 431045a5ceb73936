import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { outputFormOf } from "../../../src/config/output-form.js";
import { temporaryFolder } from "../../support/paths.js";
import { write } from "../../cli/support.js";

type Files = Readonly<Record<string, string | object>>;

/** Returns the form for a project with an output folder src/generated. */
function formOf(files: Files, node = "24.1.0") {
  const cwd = temporaryFolder();
  write(cwd, { "src/main.ts": "", ...files });
  return outputFormOf(path.join(cwd, "src/generated"), node);
}

const manifest = (...names: string[]): object => ({
  type: "module",
  devDependencies: Object.fromEntries(names.map((name) => [name, "1.0.0"])),
});

const compiler = (compilerOptions: object): object => ({ compilerOptions });

describe("form of the output", () => {
  test.each<[string, Files, string, string, string]>([
    ["Node.js 24", { "package.json": manifest() }, "24.1.0", "ts", "ts"],
    ["Node.js 22.18", { "package.json": manifest() }, "22.18.0", "ts", "ts"],
    ["Node.js 22.17", { "package.json": manifest() }, "22.17.0", "ts", "js"],
    [
      "oxc-transform",
      { "package.json": manifest("oxc-transform") },
      "20.19.0",
      "js",
      "js",
    ],
    ["tsx", { "package.json": manifest("tsx") }, "24.1.0", "ts", "js"],
    ["Next.js", { "package.json": manifest("next") }, "24.1.0", "ts", "none"],
    ["Jest", { "package.json": manifest("jest") }, "24.1.0", "ts", "none"],
    [
      "Jest with nodenext",
      {
        "package.json": manifest("jest"),
        "tsconfig.json": compiler({ module: "NodeNext" }),
      },
      "24.1.0",
      "ts",
      "js",
    ],
    [
      "a tsconfig.json with comments",
      {
        "package.json": manifest("typescript"),
        "tsconfig.json":
          '\uFEFF// a\n{"compilerOptions": {"allowImportingTsExtensions": true,},}',
      },
      "24.1.0",
      "ts",
      "ts",
    ],
    ["Deno", { "deno.json": "{}" }, "20.19.0", "ts", "ts"],
  ])("%s", (_, files, node, emit, importSuffix) => {
    expect(formOf(files, node)).toMatchObject({ emit, importSuffix });
  });

  test("runners and bundlers resolve .ts, unless a tsconfig.json decides", () => {
    const suffixesOf = (files: Files) => formOf(files)!.suffixes;
    const tsx = { "package.json": manifest("tsx") };
    expect(suffixesOf(tsx)).toEqual(["js", "none", "ts"]);
    expect(suffixesOf({ ...tsx, "tsconfig.json": compiler({}) })).toEqual([
      "js",
      "none",
    ]);
    const next = { "package.json": manifest("next") };
    expect(suffixesOf(next)).toEqual(["none"]);
  });

  test("a folder without a project has none", () => {
    expect(formOf({})).toBeUndefined();
  });

  test("a package that is not an ES module is a problem where Node or nodenext reads the type", () => {
    const commonjs = { type: "commonjs" };
    const problemsOf = (files: Files) => formOf(files)!.needsModuleType;
    expect(problemsOf({ "package.json": commonjs })).toBe(true);
    expect(problemsOf({ "package.json": manifest() })).toBe(false);
    expect(
      problemsOf({
        "package.json": commonjs,
        "tsconfig.json": compiler({ module: "nodenext" }),
      }),
    ).toBe(true);
    expect(
      problemsOf({
        "package.json": commonjs,
        "tsconfig.json": compiler({ module: "esnext" }),
      }),
    ).toBe(false);
  });

  test("without a compiler, Node.js 20 can't run the output", () => {
    const form = formOf({ "package.json": manifest() }, "20.19.0")!;
    expect(form.suffixes).toEqual([]);
    expect(form.fix).toContain("oxc-transform");
  });

  test.each([
    ["not JSON", "{{{"],
    ["a list", "[]"],
    ["null", "null"],
    ["deep", "[".repeat(200_000)],
    ["too large", `{"a": "${"x".repeat(2 ** 20)}"}`],
    [
      "prototypes",
      '{"__proto__": {"type": "module"}, "dependencies": {"__proto__": {"next": "1"}}}',
    ],
    [
      "wrong types",
      '{"type": {"a": 1}, "dependencies": "next", "devDependencies": ["next"]}',
    ],
  ])("files with hostile content (%s) count as empty", (_, text) => {
    const found = formOf({ "package.json": text, "tsconfig.json": text });
    expect(found).toMatchObject({ importSuffix: "js", needsModuleType: false });
  });

  test("folders in the position of files count as empty", () => {
    const cwd = temporaryFolder();
    for (const name of ["package.json", "tsconfig.json"])
      mkdirSync(path.join(cwd, name));
    writeFileSync(path.join(cwd, "x"), "");
    expect(outputFormOf(path.join(cwd, "out"), "24.1.0")?.emit).toBe("ts");
  });
});

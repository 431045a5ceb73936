import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { check, generate, type GenerateOptions } from "../../../src/index.js";
import { apiOf, texts, tree, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

const MANIFEST = ".gen-manifest.json";

/** Generated output, and runs with it. */
async function generated(parts: Partial<GenerateOptions> = {}) {
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  write(cwd, { "specs/demo.json": apiOf("demo"), "specs/b.json": apiOf("b") });
  const options = { spec: "specs", out: "out", cwd, ...parts };
  await generate(options);
  const changes = async (more: Partial<GenerateOptions> = {}) => {
    const { files } = await check({ ...options, ...more });
    return files
      .filter(({ action }) => action !== "same")
      .map((file) => `${file.action} ${file.path}`);
  };
  /** Expects check to report the changes that gen writes, and nothing afterwards. */
  const agree = async (more: Partial<GenerateOptions> = {}) => {
    const found = await changes(more);
    const before = tree(out);
    const { files } = await generate({ ...options, ...more });
    const done = files
      .filter(({ action }) => action !== "same")
      .map((file) => `${file.action} ${file.path}`);
    expect(done).toEqual(found);
    if (found.length === 0) expect(tree(out)).toEqual(before);
    expect(await changes(more)).toEqual([]);
    return found;
  };
  return { cwd, out, options, changes, agree };
}

describe("check and gen agree", () => {
  test("on a document that was reformatted", async () => {
    const { cwd, agree } = await generated();
    write(cwd, { "specs/demo.json": JSON.stringify(apiOf("demo")) });
    expect(await agree()).toEqual([]);
  });

  test("on a manifest that is missing, damaged, edited or reformatted", async () => {
    const { out, agree } = await generated();
    const file = path.join(out, MANIFEST);
    const text = readFileSync(file, "utf8");
    rmSync(file);
    expect(await agree()).toEqual([`create ${MANIFEST}`]);
    writeFileSync(file, "{");
    expect(await agree()).toEqual([`update ${MANIFEST}`]);
    writeFileSync(file, text.replace(/"index\.ts": "."/, '"index.ts": "x"'));
    writeFileSync(file, text.replace(/"index\.ts": "[^"]*",\s*/, ""));
    expect(await agree()).toEqual([`update ${MANIFEST}`]);
    expect(readFileSync(file, "utf8")).toBe(text);
    writeFileSync(file, JSON.stringify(JSON.parse(text)));
    expect(await agree()).toEqual([]);
  });

  test("on a checkout with CRLF", async () => {
    const { out, agree, changes } = await generated();
    for (const [name, text] of Object.entries(texts(out)))
      writeFileSync(path.join(out, name), text.replaceAll("\n", "\r\n"));
    expect(await agree()).toEqual([]);
    const file = path.join(out, "demo/v1/index.ts");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("\r\n");
    writeFileSync(file, text.replace("\r\n", " \r\n"));
    expect(await changes()).toEqual(["update demo/v1/index.ts"]);
    writeFileSync(file, text.replace("\r\n", "\r\r\n"));
    expect(await changes()).toEqual(["update demo/v1/index.ts"]);
  });

  test("on a stale file of a checkout with CRLF", async () => {
    const { cwd, out, agree } = await generated();
    for (const [name, text] of Object.entries(texts(out)))
      writeFileSync(path.join(out, name), text.replaceAll("\n", "\r\n"));
    rmSync(path.join(cwd, "specs/b.json"));
    expect(await agree()).toContain("delete b/v1/index.ts");
    expect(tree(out).has("b")).toBe(false);
  });

  test("on output from another working directory, with relative and absolute paths", async () => {
    const { cwd, out, agree } = await generated();
    mkdirSync(path.join(cwd, "deep/er"), { recursive: true });
    for (const more of [
      { cwd: path.join(cwd, "deep"), spec: "../specs", out: "../out" },
      {
        cwd: path.join(cwd, "deep/er"),
        spec: "../../specs/",
        out: "../../out",
      },
      { cwd: path.join(cwd, "specs"), spec: ".", out },
      { spec: path.join(cwd, "specs"), out },
    ])
      expect(await agree(more), more.spec).toEqual([]);
    rmSync(path.join(cwd, "specs/b.json"));
    const more = { cwd: path.join(cwd, "deep"), spec: "../specs", out };
    expect(await agree(more)).toContain("delete b/v1/index.ts");
  });

  test("on options that decide output", async () => {
    const { agree } = await generated();
    const found = await agree({ importSuffix: "ts" });
    expect(found).toContain("update demo/v1/index.ts");
    expect(found).toContain(`update ${MANIFEST}`);
  });
});

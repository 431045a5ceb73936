// A run skips documents whose inputs and output are unchanged.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { check } from "../../src/index.js";
import { loadBytes } from "../../src/load/load.js";
import {
  runGeneration,
  sameSettings,
  type Settings,
} from "../../src/generate/settings.js";
import { apiOf, texts, write } from "./support.js";
import { temporaryFolder } from "../support/paths.js";

vi.mock(import("../../src/load/load.js"), async (original) => {
  const actual = await original();
  return { ...actual, loadBytes: vi.fn(actual.loadBytes) };
});
beforeEach(() => void vi.clearAllMocks());
afterEach(() => void vi.restoreAllMocks());

const parsed = (): number => vi.mocked(loadBytes).mock.calls.length;

/** Documents, and runs that return the findings and the changed files. */
function project(documents: Record<string, object>) {
  const cwd = temporaryFolder();
  write(path.join(cwd, "specs"), documents);
  const run = async ({
    target = ["client"],
    ...more
  }: Partial<Settings> & { readonly target?: string[] } = {}) => {
    vi.clearAllMocks();
    const { plans, diagnostics } = await runGeneration({
      specs: sameSettings(["specs"], { target, trustProse: false }),
      out: "out",
      mode: "write",
      force: false,
      prune: false,
      importSuffix: "js",
      runtime: "copy",
      tsNocheck: "none",
      formatter: "none",
      cwd,
      showsInfo: false,
      ...more,
    });
    const changed = plans
      .flatMap(({ files }) => files)
      .filter(({ action }) => action !== "same")
      .map(({ path: name, action }) => `${action} ${name}`);
    return { changed, diagnostics, parsed: parsed() };
  };
  return { cwd, out: path.join(cwd, "out"), run };
}

const TWO = { "a.json": apiOf("a"), "b.json": apiOf("b") };

describe("a run skips", () => {
  test("all documents if nothing changed", async () => {
    const { run } = project(TWO);
    expect((await run()).parsed).toBe(2);
    expect(await run()).toEqual({ changed: [], diagnostics: [], parsed: 0 });
    expect((await run({ mode: "dry-run" })).parsed).toBe(0);
  });

  test("documents that did not change", async () => {
    const { run, cwd, out } = project(TWO);
    await run();
    write(cwd, { "specs/b.json": apiOf("b", "v1", "2") });
    expect((await run()).parsed).toBe(1);
    writeFileSync(path.join(out, "a/v1/index.ts"), "// edited\n");
    expect(await run()).toMatchObject({
      changed: ["update a/v1/index.ts"],
      parsed: 1,
    });
    rmSync(path.join(out, "a/v1/index.ts"));
    expect(await run()).toMatchObject({
      changed: ["create a/v1/index.ts"],
      parsed: 1,
    });
    expect((await run()).parsed).toBe(0);
  });

  test("documents after a checkout with CRLF", async () => {
    const { run, out } = project(TWO);
    await run();
    for (const [name, text] of Object.entries(texts(out)))
      writeFileSync(path.join(out, name), text.replaceAll("\n", "\r\n"));
    expect(await run()).toMatchObject({ changed: [], parsed: 0 });
  });
});

describe("a run renders", () => {
  test("all documents with --check, and if it shows info findings", async () => {
    const { run, cwd } = project(TWO);
    await run();
    expect((await run({ mode: "check" })).parsed).toBe(2);
    expect((await run({ showsInfo: true })).parsed).toBe(2);
    await check({ spec: "specs", out: "out", cwd });
    expect(parsed()).toBe(4);
  });

  test("documents with other options or targets", async () => {
    const { run } = project({ "a.json": apiOf("a") });
    await run();
    expect((await run({ target: ["server"] })).parsed).toBe(1);
    // Targets of earlier runs are generated again, so both runs are equal.
    expect((await run({ target: ["server"] })).parsed).toBe(0);
    expect((await run({ target: ["client"] })).parsed).toBe(0);
    expect((await run({ prune: true })).parsed).toBe(1);
    expect((await run({ importSuffix: "ts" })).parsed).toBe(1);
    expect((await run({ importSuffix: "ts" })).parsed).toBe(0);
  });

  test("documents with warnings, which it repeats", async () => {
    const properties = { owner: { $ref: "Nobody" } };
    const schemas = { Thing: { id: "Thing", type: "object", properties } };
    const { run } = project({ "a.json": { ...apiOf("a"), schemas } });
    const first = await run();
    expect(first.diagnostics).toMatchObject([
      { code: "ref-missing", line: expect.any(Number) as number },
    ]);
    expect(await run()).toEqual({ ...first, changed: [] });
  });

  test("documents with Prettier only if files or settings changed", async () => {
    const { run, cwd } = project({ "a.json": apiOf("a") });
    const options = { formatter: "prettier", runtime: "package" } as const;
    await run(options);
    expect((await run(options)).parsed).toBe(0);
    write(cwd, { ".prettierrc.json": '{"semi":false}' });
    expect((await run(options)).parsed).toBe(1);
    expect((await run(options)).parsed).toBe(0);
  });
});

test("inputs that print the same output do not change the manifest", async () => {
  const { run, cwd, out } = project({ "a.json": apiOf("a") });
  await run();
  const file = path.join(out, ".gen-manifest.json");
  const text = readFileSync(file, "utf8");
  write(cwd, { "specs/a.json": JSON.stringify(apiOf("a")) });
  expect(await run()).toEqual({ changed: [], diagnostics: [], parsed: 1 });
  expect(readFileSync(file, "utf8")).toBe(text);
});

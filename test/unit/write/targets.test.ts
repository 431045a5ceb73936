import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { check, generate, type GenerateOptions } from "../../../src/index.js";
import { apiOf, texts, tree, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

function project(
  files: Record<string, object> = { "demo.json": apiOf("demo") },
) {
  const cwd = temporaryFolder();
  write(path.join(cwd, "specs"), files);
  const run = (more: Partial<GenerateOptions> = {}, mode = generate) =>
    mode({ spec: "specs", out: "out", cwd, ...more });
  return { cwd, out: path.join(cwd, "out"), run };
}

describe("a separate run for each target", () => {
  test("produces the same output as one run for all, in any order", async () => {
    const { cwd, out, run } = project();
    await run({ out: "all", target: ["client", "server"] });
    const expected = texts(path.join(cwd, "all"));
    for (const order of [
      ["client", "server"],
      ["server", "client"],
      ["validator", "client", "server"],
    ]) {
      rmSync(out, { recursive: true, force: true });
      for (const target of order) await run({ target: [target] });
      expect(texts(out)).toEqual(expected);
      for (const target of order)
        expect((await run({ target: [target] }, check)).changed).toBe(false);
    }
  });

  test("keeps the client up to date with the server", async () => {
    const { cwd, out, run } = project();
    await run();
    await run({ target: ["server"] });
    write(cwd, { "specs/demo.json": apiOf("demo", "v1", "2") });
    const { diagnostics } = await run({ target: ["server"] });
    expect(diagnostics.map(({ code }) => code)).toEqual(["target-kept"]);
    expect(diagnostics[0]?.fix).toContain("--prune");
    const now = texts(out);
    expect(now["demo/v1/resources/things.ts"]).toContain("things/r2");
    expect(now["demo/v1/routes.ts"]).toContain("things/r2");
  });

  test("is complete in unchanged runs", async () => {
    const { run } = project();
    await run();
    await run({ target: ["server"] });
    await run();
    const again = await run({ target: ["server"] });
    expect(again.changed).toBe(false);
    expect(again.diagnostics.map(({ code }) => code)).toEqual(["target-kept"]);
  });
});

describe("--prune", () => {
  test("removes the other targets, and their runtimes", async () => {
    const { cwd, out, run } = project();
    await run({ out: "client" });
    await run({ target: ["client", "server"] });
    expect(tree(out).has("runtime/server")).toBe(true);
    const { changed } = await run({ prune: true }, check);
    expect(changed).toBe(true);
    await run({ prune: true });
    expect(texts(out)).toEqual(texts(path.join(cwd, "client")));
    expect((await run({}, check)).changed).toBe(false);
  });

  test("keeps runtimes that other APIs import", async () => {
    const { cwd, out, run } = project({
      "a/demo.json": apiOf("demo"),
      "b/other.json": apiOf("other"),
    });
    await run({ spec: "specs/a", target: ["server"] });
    await run({ spec: "specs/b" });
    await run({ spec: "specs/b", prune: true });
    expect(tree(out).has("runtime/server/index.ts")).toBe(true);
    rmSync(path.join(cwd, "specs/a"), { recursive: true });
    await run({ spec: "specs", prune: true });
    expect(tree(out).has("demo/v1/server.ts")).toBe(true);
  });
});

test("a server without a client keeps the runtime of other clients", async () => {
  const { out, run } = project({
    "a/demo.json": apiOf("demo"),
    "b/other.json": apiOf("other"),
  });
  const runtime = () =>
    Object.keys(texts(out)).filter((name) =>
      name.startsWith("runtime/client/"),
    );
  await run({ spec: "specs/a" });
  const before = runtime();
  await run({ spec: "specs/b", target: ["server"] });
  expect(runtime()).toEqual(before);
});

test("a server without a client copies only the types of schemas.ts from the client runtime", async () => {
  const { out, run } = project();
  await run({ target: ["server"] });
  const files = Object.entries(texts(out)).filter(([name]) =>
    name.startsWith("runtime/client/"),
  );
  expect(files.map(([name]) => name)).toEqual(["runtime/client/types.ts"]);
  expect(files[0]![1]).not.toMatch(/\bfrom "/);
  await run({ target: ["server"], emit: "js" });
  const names = Object.keys(texts(out)).filter((name) =>
    name.startsWith("runtime/client/"),
  );
  expect(names).toContain("runtime/client/types.d.ts");
  expect(names.join()).not.toContain("core");
});

describe("two documents of one API", () => {
  const codes = ({ diagnostics }: Awaited<ReturnType<typeof generate>>) =>
    diagnostics.map(({ code }) => code);

  test("keep the old output and are both named", async () => {
    const { cwd, out, run } = project({
      "a.json": apiOf("demo"),
      "else.json": apiOf("else"),
    });
    await run();
    const before = texts(out);
    write(cwd, {
      "specs/a.json": apiOf("demo", "v1", "2"),
      "specs/b.json": apiOf("demo", "v1", "3"),
      "specs/else.json": apiOf("else", "v1", "2"),
    });
    for (const mode of [check, generate]) {
      const result = await run({}, mode);
      expect(codes(result)).toEqual(["api-duplicate"]);
      const { message } = result.diagnostics[0]!;
      for (const name of ["specs/a.json", "specs/b.json", "demo/v1"])
        expect(message).toContain(name);
    }
    const after = texts(out);
    const part = (all: typeof after) =>
      Object.entries(all).filter(([name]) => name.startsWith("demo/"));
    expect(part(after)).toEqual(part(before));
    expect(after["else/v1/schemas.ts"]).toContain("Revision 2.");
    expect([...tree(out).keys()].join()).not.toContain(".gen-lock");
    rmSync(path.join(cwd, "specs/b.json"));
    expect(codes(await run())).toEqual([]);
    expect(texts(out)["demo/v1/schemas.ts"]).toContain("Revision 2.");
  });

  test("write nothing if there is no old output", async () => {
    const { cwd, run } = project({
      "a.json": apiOf("demo"),
      "b.json": apiOf("demo"),
      "c.json": apiOf("demo"),
    });
    const { diagnostics, files } = await run();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "specs/a.json and specs/b.json would both be generated into demo/v1",
      "specs/a.json and specs/c.json would both be generated into demo/v1",
    ]);
    expect(files).toEqual([]);
    expect([...tree(cwd).keys()].filter((name) => /out./.test(name))).toEqual(
      [],
    );
  });

  test("keep the output of a document that now describes another API", async () => {
    const { cwd, out, run } = project({
      "a.json": apiOf("demo"),
      "b.json": apiOf("else"),
    });
    await run();
    const before = texts(out);
    write(cwd, { "specs/a.json": apiOf("else") });
    expect(codes(await run())).toEqual(["api-duplicate"]);
    expect(texts(out)).toEqual(before);
  });

  test("with folders that differ only in case are rejected", async () => {
    const { cwd, out, run } = project({
      "a.json": apiOf("Drive"),
      "b.json": apiOf("drive", "V1"),
      "c.json": apiOf("else"),
    });
    const { diagnostics } = await run();
    expect(diagnostics.map(({ code }) => code)).toEqual(["api-case"]);
    for (const name of ["a.json", "Drive/v1", "b.json", "drive/V1"])
      expect(diagnostics[0]!.message).toContain(name);
    expect([...tree(out).keys()].filter((name) => /drive/i.test(name))).toEqual(
      [],
    );
    rmSync(path.join(cwd, "specs/b.json"));
    expect(codes(await run())).toEqual([]);
    rmSync(path.join(cwd, "specs/a.json"));
    write(cwd, { "specs/b.json": apiOf("drive", "V1") });
    const before = texts(out);
    for (const mode of [check, generate])
      expect(codes(await run({}, mode))).toEqual(["api-case"]);
    expect(texts(out)).toEqual(before);
    rmSync(path.join(out, "Drive"), { recursive: true });
    expect(codes(await run())).toEqual([]);
    expect(tree(out).has("drive/V1/index.ts")).toBe(true);
  });
});

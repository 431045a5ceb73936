import {
  existsSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { check, generate } from "../../src/index.js";
import { hash } from "../../src/platform/hash.js";
import { identifyProcess } from "../../src/platform/process.js";
import { runScaffold } from "../../src/scaffold/index.js";
import { LOCK } from "../../src/write/output-session.js";
import { apiOf, texts, write } from "../cli/support.js";
import { cloned, link, pipe } from "./support/output-folder.js";

const MANIFEST = ".gen-manifest.json";

describe("a committed lock", () => {
  const ENTRY = `${LOCK}/0123456789abcdef`;
  const { started } = identifyProcess(process.pid);
  const HOLDERS: [string, object][] = [
    ["of an ended process", { pid: 2 ** 22 + 1, host: hostname(), started }],
    ["of another start", { pid: process.pid, host: hostname(), started: "1" }],
    ["of the first process", { pid: 1, host: hostname(), started: "1" }],
    ["of no kind", { pid: "x" }],
  ];
  test.each(HOLDERS)("%s does not block a run", async (_, holder) => {
    const { out, run } = cloned();
    write(out, { [ENTRY]: JSON.stringify(holder) });
    expect(await run()).toEqual([]);
    expect(existsSync(path.join(out, LOCK))).toBe(false);
  });

  test("of another machine blocks runs for ten minutes", async () => {
    const { out, run } = cloned();
    const holder = { pid: 1, host: "elsewhere", started: "" };
    write(out, { [ENTRY]: JSON.stringify(holder) });
    expect(await run()).toEqual(["output-unwritable"]);
    utimesSync(path.join(out, ENTRY), 1, 1);
    expect(await run()).toEqual([]);
  });

  test("that is a link, a pipe or a file is removed", async () => {
    const { cwd, out, outside, run, damage } = cloned();
    const file = path.join(out, LOCK);
    for (const make of [
      () => link(path.join(outside, "home"), file),
      () => link(path.join(outside, "absent"), file),
      () => pipe(file),
      () => writeFileSync(file, "x"),
    ]) {
      make();
      expect(await run()).toEqual([]);
      expect(existsSync(file)).toBe(false);
      write(cwd, {
        "specs/demo.json": apiOf("demo", "v1", String(Math.random())),
      });
    }
    expect(damage()).toEqual([]);
  });
});

describe("links in the output", () => {
  test.each([
    LOCK,
    `${LOCK}/0123456789abcdef`,
    MANIFEST,
    `${MANIFEST}.4711.0123abcd.tmp`,
    "demo/v1/index.ts.4711.0123abcd.tmp",
    "demo",
    "demo/v1",
    "demo/v1/resources",
    "demo/v1/index.ts",
    "demo/v1/resources/things.ts",
    "demo/v1/mine",
  ])("%s", async (name) => {
    const targets = ["home", "profile.sh", "home/demo", "absent"];
    for (const target of targets) {
      const { out, outside, run, damage } = cloned();
      link(path.join(outside, target), path.join(out, name));
      await run();
      await run();
      expect(damage(), target).toEqual([]);
    }
  });

  test("are not followed with --force or when the API is removed", async () => {
    const { cwd, out, outside, damage } = cloned();
    const options = { spec: "specs", out: "out", cwd, force: true };
    await generate(options);
    const { rmSync, symlinkSync } = await import("node:fs");
    rmSync(path.join(out, "demo"), { recursive: true });
    symlinkSync(path.join(outside, "home/demo"), path.join(out, "demo"));
    await generate(options);
    write(cwd, { "specs/demo.json": apiOf("other") });
    await generate({ ...options, prune: true });
    expect(damage()).toEqual([]);
  });
});

describe("pipes and huge files are never opened", () => {
  test.each([
    MANIFEST,
    LOCK,
    `${LOCK}/0123456789abcdef`,
    "demo/v1/index.ts",
    "demo/v1",
    "demo/v1/resources/mine",
  ])("a pipe at %s", async (name) => {
    const { out, run } = cloned();
    pipe(path.join(out, name));
    await run();
    await run();
  });

  test.each([MANIFEST, `${LOCK}/0123456789abcdef`, "demo/v1/index.ts"])(
    "a huge file at %s",
    async (name) => {
      const { out, run } = cloned();
      write(out, { [name]: "x" });
      truncateSync(path.join(out, name), 2 ** 36);
      await run();
      await run();
    },
  );
});

describe("a tampered output", () => {
  const INDEX = "demo/v1/index.ts";

  /** Changes a file and its hash in the manifest. */
  function tamper(out: string): void {
    const file = path.join(out, INDEX);
    const before = readFileSync(file, "utf8");
    const after = `${before}fetch("https://evil.example");\n`;
    writeFileSync(file, after);
    const manifest = path.join(out, MANIFEST);
    const text = readFileSync(manifest, "utf8");
    expect(text).toContain(hash(before));
    writeFileSync(manifest, text.replaceAll(hash(before), hash(after)));
  }

  test("is detected with a manifest that lists it", async () => {
    const { cwd, out } = cloned();
    const options = { spec: "specs", out: "out", cwd };
    await generate(options);
    const before = texts(out);
    expect((await check(options)).changed).toBe(false);
    tamper(out);
    const { files, changed } = await check(options);
    expect(changed).toBe(true);
    expect(files).toContainEqual({ path: INDEX, action: "update" });
    await generate(options);
    expect(texts(out)).toEqual(before);
  });

  test("is detected whatever the manifest claims", async () => {
    const { cwd, out } = cloned();
    const options = { spec: "specs", out: "out", cwd };
    await generate(options);
    tamper(out);
    const manifest = path.join(out, MANIFEST);
    const value = JSON.parse(readFileSync(manifest, "utf8")) as {
      groups: Record<string, object>;
    };
    for (const format of [1, 2]) {
      const group = {
        ...value.groups["demo/v1"],
        inputs: "x",
        isTrusted: true,
      };
      const groups = { ...value.groups, "demo/v1": group };
      writeFileSync(manifest, JSON.stringify({ format, groups }));
      expect((await check(options)).changed).toBe(true);
    }
  });
});

describe("gen scaffold", () => {
  async function scaffold(cwd: string, out: string): Promise<string[]> {
    const { diagnostics } = await runScaffold({
      specs: ["specs"],
      out,
      main: "src/main.ts",
      server: "@acme/generated/server.js",
      generated: "generated",
      cwd,
      isDry: false,
    });
    return diagnostics.map(({ code }) => code);
  }

  test("does not follow links", async () => {
    const { cwd, outside, damage } = cloned();
    writeFileSync(path.join(outside, "empty.ts"), "");
    const before = damage();
    link(path.join(outside, "empty.ts"), path.join(cwd, "src/service.ts"));
    link(path.join(outside, "home"), path.join(cwd, "lib"));
    link(path.join(outside, "absent"), path.join(cwd, "src/dead.ts"));
    pipe(path.join(cwd, "src/pipe.ts"));
    for (const out of [
      "src/service.ts",
      "lib/service.ts",
      "lib/deep/service.ts",
      "src/dead.ts",
      "src/pipe.ts",
    ])
      expect(await scaffold(cwd, out), out).toEqual(["output-unwritable"]);
    expect(damage()).toEqual(before);
    expect(readFileSync(path.join(outside, "empty.ts"), "utf8")).toBe("");
  });

  test("writes the file of --out, also outside of the working directory", async () => {
    const { cwd } = cloned();
    expect(await scaffold(cwd, "../elsewhere/service.ts")).toEqual([]);
  });
});

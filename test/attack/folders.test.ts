import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { check, generate } from "../../src/index.js";
import { runScaffold } from "../../src/scaffold/index.js";
import { sealValue, verifySealed } from "../../src/platform/seal.js";
import { hash } from "../../src/platform/hash.js";
import { apiOf, texts, tree, write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";
import { cloned, link, pipe } from "./support/output-folder.js";

const STAGING = ".gen-staging";
const MANIFEST = ".gen-manifest.json";

/** Sets the user's cache folder for one test. */
function useCache(folder: string): void {
  const before = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = folder;
  onTestFinished(() => void (process.env["XDG_CACHE_HOME"] = before));
}

/** Returns steps that would move a prepared file or folder to any path. */
function journal(parts: object): object {
  const backup = `${STAGING}/old-0`;
  const from = `${STAGING}/new-0`;
  const step = { folder: "demo/v1", to: "demo/v1", backup, replaced: [] };
  return { steps: [{ ...step, from, ...parts }] };
}

describe("a committed journal", () => {
  const FORGED: [string, object][] = [
    ["to a folder behind a link", { to: "home/.bashrc" }],
    [
      "that restores behind a link",
      { to: "home/keys", backup: `${STAGING}/old-0` },
    ],
    ["that removes behind a link", { to: "home/demo", from: undefined }],
    ["of another group", { folder: "home/demo", to: "home/demo" }],
  ];
  const SEALS: [string, (out: string, steps: object) => string][] = [
    ["without a seal", (_, steps) => JSON.stringify(steps)],
    [
      "with a made-up seal",
      (_, steps) =>
        JSON.stringify({
          seal: "x".repeat(43),
          content: JSON.stringify(steps),
        }),
    ],
  ];
  for (const [name, parts] of FORGED)
    test.each(SEALS)(`${name}, %s`, async (_, write_) => {
      const { out, outside, run, damage } = cloned();
      link(path.join(outside, "home"), path.join(out, "home"));
      write(out, {
        [`${STAGING}/old-0/id`]: "stolen\n",
        [`${STAGING}/new-0/id`]: "stolen\n",
        [`${STAGING}/journal.json`]: write_(out, journal(parts)),
      });
      expect(await run()).toEqual(["staging-foreign"]);
      expect(damage()).toEqual([]);
      expect(tree(out).has("demo/v1/index.ts")).toBe(true);
      expect(await run()).toEqual([]);
    });

  test("with a seal for another folder or of another user is ignored", async () => {
    const one = cloned();
    const other = cloned();
    const dead = { pid: 2 ** 22, host: hostname(), started: "1" };
    const copied = sealValue("journal", one.out, journal({}));
    expect(verifySealed("journal", one.out, copied)).toEqual(journal({}));
    expect(verifySealed("journal", other.out, copied)).toBeUndefined();
    expect(verifySealed("lock", one.out, copied)).toBeUndefined();
    write(other.out, {
      [`${STAGING}/owner`]: sealValue("lock", other.out, dead),
      [`${STAGING}/journal.json`]: copied,
    });
    expect(await other.run()).toEqual(["staging-foreign"]);
    useCache(temporaryFolder());
    expect(verifySealed("journal", one.out, copied)).toBeUndefined();
  });

  test("of this user is ignored if a folder was replaced by a link", async () => {
    const { out, outside, run, damage } = cloned();
    const dead = { pid: 2 ** 22, host: hostname(), started: "1" };
    link(path.join(outside, "home"), path.join(out, "demo"));
    const steps = journal({ from: undefined });
    write(out, {
      [`${STAGING}/owner`]: sealValue("lock", out, dead),
      [`${STAGING}/journal.json`]: sealValue("journal", out, steps),
      [`${STAGING}/old-0/stolen.ts`]: "stolen\n",
    });
    const codes = await run();
    expect(codes[0]).toBe("staging-foreign");
    expect(new Set(codes.slice(1))).toEqual(new Set(["output-foreign"]));
    expect(damage()).toEqual([]);
  });
});

describe("the key of a user", () => {
  test("is created once, private, and outside of the output", async () => {
    const cache = temporaryFolder();
    useCache(cache);
    const { out, run } = cloned();
    await run();
    const { statSync } = await import("node:fs");
    const file = path.join(cache, "discovery-codegen/key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    const key = readFileSync(file, "utf8");
    await run();
    expect(readFileSync(file, "utf8")).toBe(key);
    expect(Object.values(texts(out)).join("")).not.toContain(key);
  });

  test.each([
    ["readable for others, as Git makes files", 0o644],
    ["in a folder that others may write", 0o600],
  ])("that is %s does not count", (_, mode) => {
    const cache = temporaryFolder();
    useCache(cache);
    const folder = path.join(cache, "discovery-codegen");
    mkdirSync(folder, { mode: 0o700 });
    const file = path.join(folder, "key");
    writeFileSync(file, "0".repeat(64), { mode });
    if (mode === 0o600) chmodSync(folder, 0o777);
    const { out } = cloned();
    const text = sealValue("lock", out, {});
    expect(readFileSync(file, "utf8") === "0".repeat(64)).toBe(mode === 0o600);
    expect(verifySealed("lock", out, text)).toEqual({});
  });

  test("is not read from a folder in the output", async () => {
    const { out, cwd, run } = cloned();
    useCache(path.join(out, "cache"));
    expect(await run()).toEqual([]);
    expect(existsSync(path.join(cwd, "out/cache"))).toBe(false);
  });
});

describe("a committed lock", () => {
  const OWNERS: [string, object][] = [
    ["of this machine", { pid: process.pid, host: hostname(), started: "" }],
    ["of the first process", { pid: 1, host: hostname(), started: "1" }],
    ["of another machine", { pid: 1, host: "elsewhere", started: "" }],
    ["of no kind", { pid: "x" }],
  ];
  test.each(OWNERS)("%s never blocks a run", async (_, owner) => {
    const { out, run } = cloned();
    const file = path.join(out, STAGING, "owner");
    for (const text of [
      JSON.stringify(owner),
      JSON.stringify({ seal: "", content: JSON.stringify(owner) }),
    ]) {
      write(out, { [`${STAGING}/owner`]: text });
      utimesSync(file, 4e9, 4e9);
      expect(await run()).toEqual(["staging-foreign"]);
      expect(await run()).toEqual([]);
    }
  });

  test("that is a link, a pipe or a folder is ignored", async () => {
    const { out, outside, run, damage } = cloned();
    const file = path.join(out, STAGING, "owner");
    link(path.join(outside, "profile.sh"), file);
    expect(await run()).toEqual(["staging-foreign"]);
    pipe(file);
    expect(await run()).toEqual(["staging-foreign"]);
    mkdirSync(file, { recursive: true });
    expect(await run()).toEqual(["staging-foreign"]);
    expect(damage()).toEqual([]);
  });
});

describe("links in the output", () => {
  test.each([
    STAGING,
    `${STAGING}/manifest-0`,
    `${STAGING}/new-0`,
    `${STAGING}/journal.json.new`,
    MANIFEST,
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
    STAGING,
    `${STAGING}/journal.json`,
    "demo/v1/index.ts",
    "demo/v1",
    "demo/v1/resources/mine",
  ])("a pipe at %s", async (name) => {
    const { out, run } = cloned();
    pipe(path.join(out, name));
    await run();
    await run();
  });

  test.each([MANIFEST, `${STAGING}/journal.json`, "demo/v1/index.ts"])(
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

  test.each(["with", "without"])("is detected %s a cache", async (cache) => {
    const { cwd, out } = cloned();
    const options = { spec: "specs", out: "out", cwd };
    await generate(options);
    const before = texts(out);
    expect((await check(options)).changed).toBe(false);
    tamper(out);
    if (cache === "without") useCache(temporaryFolder());
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

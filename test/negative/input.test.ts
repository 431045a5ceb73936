import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generate, load } from "../../src/index.js";
import { apiOf, gen, tree, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { inputs } from "./inputs.js";

test.each(inputs)("$name: $code", ({ code, text, place, message }) => {
  const { api, diagnostics } = load(text, "in.json");
  expect(api).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  const [found] = diagnostics;
  expect(found).toMatchObject({ code, severity: "error", file: "in.json" });
  expect(found!.message).toContain(message);
  if (place !== undefined)
    expect(`${found!.line}:${found!.column}`).toBe(place);
});

test("one bad document never stops the others", async () => {
  const cwd = temporaryFolder();
  for (const [index, { text }] of inputs.entries())
    if (text.length < 1000) {
      mkdirSync(path.join(cwd, "specs"), { recursive: true });
      writeFileSync(path.join(cwd, `specs/${index}.json`), text);
    }
  write(cwd, {
    "specs/aa.json": apiOf("first"),
    "specs/zz.json": apiOf("last"),
  });
  const { diagnostics } = await generate({ spec: "specs", out: "out", cwd });
  const bad = inputs.filter(({ text }) => text.length < 1000).length;
  expect(diagnostics).toHaveLength(bad);
  const names = [...tree(path.join(cwd, "out")).keys()];
  expect(names).toContain("first/v1/index.ts");
  expect(names).toContain("last/v1/index.ts");
});

/** Runs on one source, with limits of time and memory. */
function read(
  spec: string,
  input?: string | Buffer,
): { status: number | null; stderr: string } {
  const cwd = temporaryFolder();
  const options = {
    cwd,
    timeout: 10_000,
    ...(input === undefined ? {} : { input }),
  };
  const finished = gen(["--spec", spec, "--out", "out"], options);
  expect(tree(cwd).size).toBe(0);
  return finished;
}

test("a file of 200 MB is rejected by its size without reading it", () => {
  const file = path.join(temporaryFolder(), "large.json");
  writeFileSync(file, "");
  truncateSync(file, 200 * 1024 * 1024);
  const started = performance.now();
  const { status, stderr } = read(file);
  expect(status).toBe(3);
  expect(stderr).toContain("error source-too-large");
  expect(performance.now() - started).toBeLessThan(2000);
});

test("standard input without an end is rejected at the limit", async () => {
  const cwd = temporaryFolder();
  const child = spawn(
    process.execPath,
    [
      "--max-old-space-size=64",
      path.join(ROOT, "bin/gen.js"),
      "--spec",
      "-",
      "--out",
      "out",
    ],
    { cwd, stdio: [openSync("/dev/zero", "r"), "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr!.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const status = await new Promise((resolve) => child.on("exit", resolve));
  expect(status).toBe(3);
  expect(stderr).toContain("error source-too-large: - is too large");
});

test.each([
  ["/dev/zero", "the path is neither a file nor a pipe"],
  ["/dev/null", "the path is neither a file nor a pipe"],
  ["/dev/tty", "the path is neither a file nor a pipe"],
])("the device %s is not read", (spec, reason) => {
  const { status, stderr } = read(spec);
  expect(status).toBe(3);
  expect(stderr).toContain(`error source-unreadable: ${spec}: ${reason}`);
});

test("a socket is not read", async () => {
  const file = path.join(temporaryFolder(), "socket.json");
  const server = createServer().listen(file);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { status, stderr } = read(file);
  expect(status).toBe(3);
  expect(stderr).toContain("the path is neither a file nor a pipe");
});

test("a pipe is read; one without a writer does not hang", () => {
  const folder = temporaryFolder();
  const pipe = path.join(folder, "pipe.json");
  spawnSync("mkfifo", [pipe]);
  const { status, stderr } = read(pipe);
  expect(status).toBe(3);
  expect(stderr).toContain("error json-empty");
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": apiOf("demo") });
  const command = `exec "$0" "$@" --spec <(sleep 0.2; cat demo.json) --out out`;
  const piped = spawnSync(
    "bash",
    ["-c", command, process.execPath, path.join(ROOT, "bin/gen.js")],
    { cwd, encoding: "utf8" },
  );
  expect(piped.stderr).toBe("");
  expect(piped.status).toBe(0);
  expect(tree(cwd).has("out/demo/v1/index.ts")).toBe(true);
});

test("a pipe in a folder is not read", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo") });
  spawnSync("mkfifo", [path.join(cwd, "specs/pipe.json")]);
  const { diagnostics } = await generate({ spec: "specs", out: "out", cwd });
  expect(diagnostics).toEqual([]);
});

test.each([
  ["a missing file", "missing.json", 2, "source-missing"],
  ["a glob without match", "specs/*.yaml", 2, "source-missing"],
  ["a file below a file", "specs/demo.json/x.json", 2, "source-missing"],
  ["a name too long", `${"x".repeat(300)}.json`, 2, "source-missing"],
  ["an empty name", "", 2, "source-missing"],
  ["an empty folder", "empty", 2, "source-empty"],
  ["a link to itself", "loop.json", 2, "source-missing"],
  ["a link to nowhere", "broken.json", 2, "source-missing"],
  ["a URL", "ftp://example.com/x.json", 2, "source-unsupported"],
  [
    "a file below /proc that can't be read",
    "/proc/self/mem",
    3,
    "source-unreadable",
  ],
])("%s", (_, spec, status, code) => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo") });
  mkdirSync(path.join(cwd, "empty"));
  symlinkSync("loop.json", path.join(cwd, "loop.json"));
  symlinkSync("nowhere", path.join(cwd, "broken.json"));
  const args = ["--spec", spec, "specs", "--out", "out"];
  const finished = gen(args, { cwd });
  expect(finished.stderr).toContain(`error ${code}: `);
  expect(finished.status).toBe(status);
  expect(tree(cwd).has("out/demo/v1/index.ts")).toBe(true);
});

test("links and folders among the documents of a folder", async () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/demo.json": apiOf("demo"),
    "specs/folder.json/else.json": apiOf("else"),
    "specs/.hidden/x.json": "{",
    "specs/node_modules/x.json": "{",
    "elsewhere/far.json": apiOf("far"),
  });
  symlinkSync("../elsewhere/far.json", path.join(cwd, "specs/link.json"));
  symlinkSync("../elsewhere", path.join(cwd, "specs/elsewhere"));
  symlinkSync("nowhere", path.join(cwd, "specs/broken.json"));
  const { diagnostics } = await generate({ spec: "specs", out: "out", cwd });
  expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
    ["source-unreadable", "specs/broken.json"],
  ]);
  const names = [...tree(path.join(cwd, "out")).keys()];
  for (const api of ["demo", "else", "far"])
    expect(names).toContain(`${api}/v1/index.ts`);
});

test.each([10, 64, 65, 400, 5000, 100_000])(
  "nested %i levels deep",
  (depth) => {
    const open = '{"type":"array","items":';
    const deep = open.repeat(depth) + '{"type":"string"}' + "}".repeat(depth);
    const text = JSON.stringify(description({ schemas: { Deep: 0 } })).replace(
      '"Deep":0',
      `"Deep":${deep}`,
    );
    const { api, diagnostics } = load(text);
    expect(api).toBeDefined();
    const codes = diagnostics
      .filter(({ severity }) => severity !== "info")
      .map(({ code }) => code);
    expect(codes).toEqual(depth > 64 ? ["shape-too-deep"] : []);
  },
);

test.each(["properties", "additionalProperties", "resources", "unknown"])(
  "nested 10,000 levels deep in %s",
  async (key) => {
    const isNamed = key === "properties" || key === "resources";
    const [open, close] = isNamed
      ? [`{"${key}":{"a":`, "}}"]
      : [`{"${key}":`, "}"];
    const deep = open.repeat(10_000) + "{}" + close.repeat(10_000);
    const cwd = temporaryFolder();
    const owner = key === "resources" ? "resources" : "schemas";
    const text = JSON.stringify(description({ [owner]: { Deep: 0 } }));
    write(cwd, { "deep.json": text.replace('"Deep":0', `"Deep":${deep}`) });
    const { diagnostics } = await generate({
      spec: "deep.json",
      out: "out",
      cwd,
    });
    const serious = diagnostics.filter(({ severity }) => severity !== "info");
    expect(serious.map(({ code }) => code)).toEqual(
      key === "unknown" ? [] : ["shape-too-deep"],
    );
  },
);

test("keys such as __proto__ and constructor are ordinary names", async () => {
  const cwd = temporaryFolder();
  const names = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
  ];
  const parts = (value: string): string =>
    `{${names.map((name) => `"${name}":${value}`).join(",")}}`;
  const schema = `{"type":"object","properties":${parts('{"type":"string"}')}}`;
  const get = `{"path":"x","httpMethod":"GET","parameters":${parts('{"type":"string","location":"query"}')}}`;
  const text = `{"kind":"discovery#restDescription","name":"demo","version":"v1",
    "__proto__":{"kind":5},"schemas":${parts(schema)},"methods":${parts(get)},
    "resources":${parts(`{"methods":${parts(get)}}`)}}`;
  write(cwd, { "demo.json": text });
  const { diagnostics } = await generate({
    spec: "demo.json",
    out: "out",
    cwd,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
    [],
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { LIBRARY } from "../support/patches.js";
import { gen, texts, write } from "./support.js";

const edited = JSON.parse(
  JSON.stringify(LIBRARY)
    .replaceAll('"Book"', '"Volume"')
    .replace("A book.", "A volume."),
) as object;

test("gen patch new writes a patch that gen --patch and gen patch check accept", () => {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": LIBRARY, "b.json": edited });
  const created = gen(
    ["patch", "new", "a.json", "b.json", "--out", "patches/demo.yaml"],
    { cwd },
  );
  expect(created).toMatchObject({
    status: 0,
    stdout: "patches/demo.yaml: 2 operations\n",
  });
  const text = readFileSync(path.join(cwd, "patches/demo.yaml"), "utf8");
  expect(text)
    .toBe(`# yaml-language-server: $schema=https://unpkg.com/discovery-codegen/generated/schemas/patch.schema.json

api: demo:v1
revision: "7"
operations:
  - rename: schemas.Book
    to: Volume
  - describe: schemas.Volume
    value: A volume.
    expect: A book.
`);
  const patch = ["--patch", "patches/demo.yaml"];
  const patched = gen(["--spec", "a.json", "--out", "one", ...patch], { cwd });
  expect(patched).toMatchObject({ status: 0, stderr: "" });
  gen(["--spec", "b.json", "--out", "two"], { cwd });
  const [one, two] = ["one/demo", "two/demo"].map((name) =>
    texts(path.join(cwd, name)),
  );
  expect(one).toEqual(two);
  const check = ["--spec", "a.json", "--out", "one", "--check"];
  expect(gen([...check, ...patch], { cwd }).status).toBe(0);
  expect(gen(check, { cwd }).status).toBe(1);

  write(cwd, {
    "c.json": { ...LIBRARY, version: "v2" },
    "d.json": { ...LIBRARY, name: "other" },
  });
  const before = texts(path.join(cwd, "one"));
  const others = ["--spec", "c.json", "--spec", "d.json", "--out", "one"];
  const unused = gen([...others, ...patch], { cwd });
  expect(unused.status).toBe(4);
  expect(unused.stderr).toContain("patches/demo.yaml:3:1: error patch-unused");
  expect(texts(path.join(cwd, "one"))).toEqual(before);

  const again = gen(["--spec", "b.json", "--out", "two", ...patch], { cwd });
  expect(again.status).toBe(0);
  expect(again.stderr).toContain(
    "patches/demo.yaml:6:5: warning patch-upstream: schemas.Book was already renamed to Volume",
  );
  const state = gen(["patch", "check", "a.json", "patches/demo.yaml"], { cwd });
  expect(state).toMatchObject({
    status: 0,
    stdout:
      "applies   patches/demo.yaml:6:5  rename schemas.Book\napplies   patches/demo.yaml:8:5  describe schemas.Volume\n",
  });
  const refused = gen(
    ["patch", "new", "a.json", "b.json", "--out", "patches/demo.yaml"],
    { cwd },
  );
  expect(refused.status).toBe(2);
  expect(gen(["patch", "new", "a.json"], { cwd }).status).toBe(2);
});

test("--dump ir and GEN_INCLUDE use patches and selections", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "a.json": LIBRARY,
    "p.yaml":
      "api: demo:v1\noperations:\n  - rename: methods.demo.books.list\n    to: all\n",
  });
  const args = ["--spec", "a.json", "--dump", "ir", "--patch", "p.yaml"];
  const env = { GEN_INCLUDE: "demo.books.{all,none}" };
  const { status, stdout, stderr } = gen(args, { cwd, env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const api = JSON.parse(stdout) as {
    root: { children: { methods: { id: string }[] }[] };
  };
  expect(api.root.children[0]!.methods.map(({ id }) => id)).toEqual([
    "demo.books.all",
  ]);
  const missing = gen([...args, "--patch", "missing.yaml"], { cwd });
  expect(missing.status).toBe(2);
  expect(missing.stderr).toContain("missing.yaml:1:1: error patch-unreadable");
});

describe("gen patch prune", () => {
  const OPERATIONS = [
    { rename: "schemas.Book", to: "Volume" },
    { describe: "schemas.Volume", value: "A volume." },
  ];
  const YAML = `# Corrections.
api: demo:v1
operations:
  # Named after the shelf mark.
  - rename: schemas.Book
    to: Volume
  - describe: schemas.Volume # for readers
    value: A volume.
`;

  /** Folder with a description that already contains the renamed schema. */
  function folder(): string {
    const cwd = temporaryFolder();
    const old = JSON.stringify(LIBRARY);
    write(cwd, { "old.json": LIBRARY });
    writeFileSync(path.join(cwd, "a.yaml"), YAML);
    writeFileSync(
      path.join(cwd, "b.json"),
      JSON.stringify({ api: "demo:v1", operations: OPERATIONS }, null, 2),
    );
    const adopted = JSON.parse(
      old.replaceAll('"Book"', '"Volume"'),
    ) as typeof LIBRARY;
    write(cwd, { "now.json": adopted });
    return cwd;
  }

  test("removes adopted operations, and keeps the rest of the files", () => {
    const cwd = folder();
    for (const file of ["a.yaml", "b.json"]) {
      const pruned = gen(["patch", "prune", "now.json", file], { cwd });
      expect(pruned).toMatchObject({
        status: 0,
        stdout: `${file}: removed rename schemas.Book\n1 operation removed\n`,
      });
      const check = gen(["patch", "check", "now.json", file], { cwd });
      expect([check.status, check.stderr]).toEqual([0, ""]);
    }
    expect(readFileSync(path.join(cwd, "a.yaml"), "utf8")).toContain(
      "- describe: schemas.Volume # for readers",
    );
    const again = gen(["patch", "prune", "now.json", "a.yaml"], { cwd });
    expect(again.stdout).toBe("0 operations removed\n");
  });

  test("prunes the patches of the config; an empty list of operations is valid", () => {
    const cwd = folder();
    const [rename] = OPERATIONS;
    write(cwd, {
      "b.json": { api: "demo:v1", operations: [rename] },
      "gen.config.json": {
        out: "out",
        apis: { "demo:v1": { source: "now.json", patches: ["b.json"] } },
      },
    });
    expect(gen([], { cwd })).toMatchObject({ status: 0 });
    expect(gen(["patch", "prune"], { cwd }).stdout).toContain(
      "1 operation removed",
    );
    expect(gen(["--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(gen(["patch", "prune", "--no-config"], { cwd }).status).toBe(2);
  });
});

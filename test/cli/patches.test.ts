import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
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
  expect(again.status).toBe(4);
  expect(again.stderr).toContain(
    "patches/demo.yaml:6:5: error patch-upstream: schemas.Book was already renamed to Volume",
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

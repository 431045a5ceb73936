import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/index.js";
import { hash } from "../../../src/platform/hash.js";
import { apiOf, gen, texts, tree, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

const MANIFEST = ".gen-manifest.json";

interface Read {
  readonly format: number;
  readonly groups: Record<
    string,
    {
      readonly spec?: string;
      readonly document?: string;
      readonly files: Record<string, string>;
    }
  >;
}

function read(out: string): Read {
  return JSON.parse(readFileSync(path.join(out, MANIFEST), "utf8")) as Read;
}

test("the manifest lists every file with its hash and source", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/b.json": apiOf("beta"), "specs/a.json": apiOf("alpha") });
  await generate({ spec: "specs", out: "out", cwd });
  const out = path.join(cwd, "out");
  const { format, groups } = read(out);
  expect(format).toBe(2);
  expect(Object.keys(groups)).toEqual([
    "alpha/v1",
    "beta/v1",
    "runtime/client",
  ]);
  expect(groups["beta/v1"]).toMatchObject({
    spec: "../specs",
    document: "../specs/b.json",
  });
  const known = Object.entries(groups).flatMap(([folder, { files }]) =>
    Object.entries(files).map(([name, value]) => [`${folder}/${name}`, value]),
  );
  const found = Object.entries(texts(out)).filter(
    ([name]) => name !== MANIFEST,
  );
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries(found.map(([name, text]) => [name, hash(text)])),
  );
});

test("the manifest names no machine, time or version", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": apiOf("alpha"), "b.json": apiOf("beta") });
  const specs = [path.join(cwd, "specs"), path.join(cwd, "b.json")];
  await generate({ spec: specs, out: path.join(cwd, "out") });
  const text = readFileSync(path.join(cwd, "out", MANIFEST), "utf8");
  expect(text).not.toContain(cwd);
  expect(text).not.toMatch(/"\/|[A-Z]:\\/);
  expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}|\d+\.\d+\.\d+/);
});

test("two runs are equal in any folder, at any time and in any order", () => {
  const documents = {
    "specs/z.json": apiOf("zeta"),
    "specs/a.json": apiOf("alpha"),
    "specs/ä.json": apiOf("umlaut"),
    "specs/Z.json": apiOf("upper"),
  };
  const environments = [
    { TZ: "UTC", LC_ALL: "C" },
    { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8", LANG: "sv_SE.UTF-8" },
  ];
  const outputs = environments.map((env, index) => {
    const cwd = path.join(temporaryFolder(), "deep".repeat(index));
    mkdirSync(cwd, { recursive: true });
    const entries = Object.entries(documents);
    write(cwd, Object.fromEntries(index === 0 ? entries : entries.reverse()));
    const before = process.umask(index === 0 ? 0o022 : 0o077);
    try {
      expect(
        gen(["--spec", "specs", "--out", "out"], { cwd, env }).status,
      ).toBe(0);
    } finally {
      process.umask(before);
    }
    return texts(path.join(cwd, "out"));
  });
  expect(outputs[1]).toEqual(outputs[0]);
});

test("the order of arguments does not matter", async () => {
  const results = await Promise.all(
    [
      ["a.json", "b.json"],
      ["b.json", "a.json"],
    ].map(async (spec) => {
      const cwd = temporaryFolder();
      write(cwd, { "a.json": apiOf("alpha"), "b.json": apiOf("beta") });
      await generate({ spec, out: "out", cwd });
      return texts(path.join(cwd, "out"));
    }),
  );
  expect(results[1]).toEqual(results[0]);
});

const FILES = { "index.ts": "x" };
const DAMAGED: [string, string][] = [
  ["not JSON", "{"],
  ["empty", ""],
  ["an array", "[]"],
  ["null", "null"],
  ["another format", JSON.stringify({ format: 3, groups: {} })],
  ["groups as list", JSON.stringify({ format: 2, groups: [] })],
  ...(
    [
      ["a group as text", { "demo/v1": "x" }],
      ["a group as null", { "demo/v1": null }],
      ["files as list", { "demo/v1": { files: ["index.ts"] } }],
      ["a hash as number", { "demo/v1": { files: { "index.ts": 5 } } }],
      ["a spec as object", { "demo/v1": { spec: {}, files: FILES } }],
      ["a group above", { "../outside": { files: FILES } }],
      ["a group far above", { "demo/../../outside": { files: FILES } }],
      ["a group elsewhere", { "/tmp/outside": { files: FILES } }],
      [
        "a file in a parent folder",
        { "demo/v1": { files: { "../../../outside/index.ts": "x" } } },
      ],
      ["an absolute file", { "demo/v1": { files: { "/etc/passwd": "x" } } }],
      ["backslashes", { "demo/v1": { files: { "..\\..\\outside": "x" } } }],
      ["an empty name", { "": { files: FILES } }],
      ["a group of one part", { demo: { files: FILES } }],
      ["a group within another", { "demo/v1/more": { files: FILES } }],
      ["a hidden folder as a group", { ".gen-lock/x": { files: FILES } }],
      ["inputs as a number", { "demo/v1": { inputs: 5, files: FILES } }],
      [
        "a name that is too long",
        { "demo/v1": { files: { ["x/".repeat(9999)]: "x" } } },
      ],
      ["a drive", { "demo/v1": { files: { "C:x": "x" } } }],
      ["NUL", { "demo/v1": { files: { "a\0b": "x" } } }],
    ] as [string, object][]
  ).map(([name, groups]): [string, string] => [
    name,
    JSON.stringify({ format: 2, groups }),
  ]),
];

test.each(DAMAGED)(
  "a damaged manifest (%s) is reported and replaced",
  async (_, manifest) => {
    const cwd = temporaryFolder();
    const stranger = "// stranger\n";
    write(cwd, {
      "specs/demo.json": apiOf("demo"),
      "outside/index.ts": stranger,
      "out/demo/v1/mine.ts": stranger,
      [`out/${MANIFEST}`]: manifest,
    });
    const options = { spec: "specs", out: "out", cwd };
    const first = await generate(options);
    expect(first.diagnostics.map(({ code }) => code)).toEqual([
      "manifest-invalid",
    ]);
    const left = texts(cwd);
    expect(left["outside/index.ts"]).toBe(stranger);
    expect(left["out/demo/v1/mine.ts"]).toBe(stranger);
    expect((await generate(options)).diagnostics).toEqual([]);
  },
);

test("a manifest can't cause foreign files to be deleted or overwritten", async () => {
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  write(cwd, {
    "specs/demo.json": apiOf("demo"),
    "out/src/lib/mine.ts": "// mine\n",
  });
  const claim = { spec: "../specs", document: "../specs/old.json" };
  const groups = {
    "src/lib": { ...claim, files: { "mine.ts": "not its hash" } },
    "constructor/prototype": { ...claim, files: { toString: "z" } },
  };
  const text = JSON.stringify({ format: 2, groups });
  write(out, {
    [MANIFEST]: text.replace('"toString"', '"__proto__":"x","toString"'),
  });
  const { diagnostics } = await generate({ spec: "specs", out: "out", cwd });
  expect(diagnostics.map(({ code }) => code)).toEqual(["output-edited"]);
  expect(texts(out)["src/lib/mine.ts"]).toBe("// mine\n");
});

test("a folder at the path of the manifest is reported, and nothing is written", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo") });
  write(cwd, { [`out/${MANIFEST}/mine.txt`]: "mine\n" });
  const before = tree(cwd);
  const { diagnostics } = await generate({ spec: "specs", out: "out", cwd });
  expect(diagnostics.map(({ code }) => code)).toEqual(["output-unwritable"]);
  expect(tree(cwd)).toEqual(before);
});

test("the order of keys in a manifest does not matter", async () => {
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  write(cwd, { "specs/demo.json": apiOf("demo") });
  const options = { spec: "specs", out: "out", cwd };
  await generate(options);
  const { groups } = read(out);
  const reversed = Object.fromEntries(Object.entries(groups).reverse());
  writeFileSync(
    path.join(out, MANIFEST),
    JSON.stringify({ groups: reversed, format: 2 }),
  );
  expect((await generate(options)).changed).toBe(false);
});

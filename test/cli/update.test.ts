import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { apiDirectory, type ApiDirectory } from "../support/api-directory.js";
import { temporaryFolder } from "../support/paths.js";
import { runResidentAsync } from "./resident.js";
import { apiOf, tree, write, type Finished } from "./support.js";

/** Runs the command without blocking the server of the test. */
function gen(args: readonly string[], cwd: string): Promise<Finished> {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = process.env;
  return runResidentAsync({ args, cwd, env: { PATH, HOME, XDG_CACHE_HOME } });
}

const read = (cwd: string, name: string): string =>
  readFileSync(path.join(cwd, name), "utf8");

/** Document whose revision is a date. */
function dated(name: string, revision: string, change = revision): object {
  return { ...apiOf(name, "v1", change), revision };
}

const OLD = "20240101";
const NEW = "20240202";

/** Generated project of some APIs. */
async function project(
  names: readonly string[],
  more: { readonly config?: string; readonly api?: string } = {},
): Promise<{ readonly cwd: string; readonly directory: ApiDirectory }> {
  const directory = await apiDirectory(
    Object.fromEntries(names.map((name) => [`${name}:v1`, dated(name, OLD)])),
  );
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.yaml": [
      "out: generated",
      `directory: ${directory.origin}`,
      "allowHttp: true",
      "allowPrivate: true",
      more.config ?? "",
      "apis:",
      ...names.map((name) => `  ${name}:v1: ${more.api ?? "{}"}`),
      "",
    ].join("\n"),
  });
  expect(await gen([], cwd)).toMatchObject({ status: 0, stderr: "" });
  return { cwd, directory };
}

interface Report {
  readonly apis: readonly Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
}

const report = (cwd: string): Report =>
  JSON.parse(read(cwd, "report.json")) as Report;

test("documents are fetched, generated and compared in one step", async () => {
  const { cwd, directory } = await project(["books", "shop"]);
  directory.documents.set("shop:v1", dated("shop", NEW));
  const before = tree(cwd);
  const checked = await gen(["update", "--check"], cwd);
  expect(checked).toMatchObject({ status: 1, stderr: "" });
  expect(checked.stdout).toMatch(/1 API to update, 1 unchanged, 0 kept\n$/);
  expect(tree(cwd)).toEqual(before);
  const args = ["--json", "report.json", "--summary", "summary.md"];
  const updated = await gen(["update", ...args], cwd);
  expect(updated).toMatchObject({ status: 0, stderr: "" });
  expect(updated.stdout).toBe(
    "shop:v1: revision 20240101 → 20240202; breaking: 3 client, 1 types\n1 API updated, 1 unchanged, 0 kept\n",
  );
  expect(report(cwd)).toEqual({
    apis: [
      {
        api: "books:v1",
        status: "unchanged",
        reason: null,
        from: OLD,
        to: OLD,
        breaking: { client: 0, types: 0, server: 0 },
        warnings: 0,
        used: null,
        message: null,
      },
      {
        api: "shop:v1",
        status: "updated",
        reason: null,
        from: OLD,
        to: NEW,
        breaking: { client: 3, types: 1, server: 0 },
        warnings: 0,
        used: null,
        message: null,
      },
    ],
    summary: {
      updated: 1,
      unchanged: 1,
      kept: 0,
      reasons: {},
      breaking: { client: 3, types: 1, server: 0 },
      warnings: 0,
      used: null,
    },
  });
  expect(read(cwd, "summary.md")).toContain(
    "| `shop:v1` | 20240101 → 20240202 | updated |",
  );
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
  expect(await gen(["update", "--check"], cwd)).toMatchObject({
    status: 0,
    stdout: "0 APIs to update, 2 unchanged, 0 kept\n",
  });
  expect(readdirSync(path.join(cwd, "specs"))).toEqual([
    "books.v1.json",
    "shop.v1.json",
  ]);
});

test("an API that can't be updated is kept, and the others are updated", async () => {
  const names = ["gone", "good", "invalid", "old", "small", "unreachable"];
  const { cwd, directory } = await project(names);
  const { documents } = directory;
  const small = { ...dated("small", NEW), resources: {} };
  documents.delete("gone:v1");
  documents.set("gone:v2", apiOf("gone", "v2"));
  documents.set("good:v1", dated("good", NEW));
  documents.set("invalid:v1", "<html>");
  documents.set("old:v1", dated("old", "20230101"));
  documents.set("small:v1", small);
  documents.set("unreachable:v1", 403);
  const kept = names.filter((name) => name !== "good");
  const state = (): unknown[] => [
    kept.map((name) => read(cwd, `specs/${name}.v1.json`)),
    kept.map((name) => [...tree(path.join(cwd, "generated", name))]),
    Object.entries(
      (JSON.parse(read(cwd, "gen.lock.json")) as { apis: object }).apis,
    ).filter(([id]) => id !== "good:v1"),
  ];
  const before = state();
  const args = ["--json", "report.json", "--summary", "summary.md"];
  const { status, stdout } = await gen(["update", ...args], cwd);
  expect(status).toBe(0);
  expect(stdout).toContain("good:v1: revision 20240101 → 20240202");
  expect(stdout).toMatch(/1 API updated, 0 unchanged, 5 kept\n$/);
  expect(state()).toEqual(before);
  const { apis, summary } = report(cwd);
  expect(
    apis.map(({ api, status: result, reason }) => [api, result, reason]),
  ).toEqual([
    ["gone:v1", "kept", "gone"],
    ["good:v1", "updated", null],
    ["invalid:v1", "kept", "invalid"],
    ["old:v1", "kept", "older"],
    ["small:v1", "kept", "shrunk"],
    ["unreachable:v1", "kept", "unreachable"],
  ]);
  expect(summary).toMatchObject({
    updated: 1,
    kept: 5,
    reasons: { gone: 1, invalid: 1, older: 1, shrunk: 1, unreachable: 1 },
  });
  const markdown = read(cwd, "summary.md");
  for (const name of kept) expect(markdown).toContain(`| \`${name}:v1\` |`);
  expect(markdown).toMatch(/gone:v1 is no longer published .*gone:v2/s);
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
  expect(await gen(["update", "--fail-on", "shrunk"], cwd)).toMatchObject({
    status: 3,
  });
  expect(await gen(["update", "--fail-on", "patch-stale"], cwd)).toMatchObject({
    status: 0,
  });
});

test("the config decides which reasons warn and fail", async () => {
  const { cwd, directory } = await project(["a", "b"], {
    config: "update:\n  gone: warn\n  unreachable: fail",
  });
  directory.documents.delete("a:v1");
  const warned = await gen(["update"], cwd);
  expect(warned.status).toBe(0);
  expect(warned.stderr).toMatch(/warning remote-gone: a:v1 is no longer/);
  directory.documents.set("b:v1", 403);
  const failed = await gen(["update"], cwd);
  expect(failed.status).toBe(3);
  expect(failed.stderr).toMatch(/error remote-failed: b:v1: /);
});

test("an API whose output can't be generated gets its document back", async () => {
  const { cwd, directory } = await project(["a", "b"]);
  const before = [read(cwd, "specs/a.v1.json"), read(cwd, "gen.lock.json")];
  // Both methods have the same route.
  const broken = dated("a", NEW) as { resources: Record<string, object> };
  directory.documents.set("a:v1", {
    ...broken,
    resources: { ...broken.resources, things: { methods: 1 } },
  });
  write(cwd, { "generated/a/v1/foreign.ts": "" });
  const { stdout } = await gen(["update", "--json", "report.json"], cwd);
  expect(stdout).toContain("a:v1: kept (invalid)");
  expect([read(cwd, "specs/a.v1.json"), read(cwd, "gen.lock.json")]).toEqual(
    before,
  );
  // A file that was not generated is where a new resource would be written.
  directory.documents.set("a:v1", {
    ...dated("a", NEW),
    resources: { extra: { methods: methods("a.extra.get", "extra") } },
  });
  write(cwd, { "generated/a/v1/resources/extra.ts": "// mine\n" });
  const output = tree(path.join(cwd, "generated/a"));
  const failed = await gen(["update", "--json", "report.json"], cwd);
  expect(failed.stdout).toContain("a:v1: kept (generation-failed)");
  expect([read(cwd, "specs/a.v1.json"), read(cwd, "gen.lock.json")]).toEqual(
    before,
  );
  expect(tree(path.join(cwd, "generated/a"))).toEqual(output);
  expect(report(cwd).apis[0]).toMatchObject({
    status: "kept",
    reason: "generation-failed",
  });
});

function methods(id: string, place: string): object {
  const get = { id, path: place, httpMethod: "GET" };
  return { get: { ...get, response: { $ref: "Thing" } } };
}

const PATCH = `api: a:v1
operations:
  # The authors were told.
  - describe: schemas.Thing
    value: Adopted.
  # Stays.
  - describe: schemas.Thing.name1
    value: A name.
`;

/** Document of the API a whose schema has a description. */
function described(revision: string, text: string): object {
  const document = dated("a", revision, "1") as {
    schemas: { Thing: object };
  };
  const Thing = { ...document.schemas.Thing, description: text };
  return { ...document, schemas: { Thing } };
}

test("adopted patches are pruned, and a stale patch keeps its API", async () => {
  const { cwd, directory } = await project(["a", "b"]);
  directory.documents.set("a:v1", described("20240102", "Old."));
  write(cwd, { "patches/a.yaml": PATCH });
  const config = read(cwd, "gen.config.yaml").replace(
    "a:v1: {}",
    "a:v1: { patches: patches/a.yaml }",
  );
  write(cwd, { "gen.config.yaml": config });
  expect(await gen(["update"], cwd)).toMatchObject({ status: 0, stderr: "" });
  expect(read(cwd, "patches/a.yaml")).toBe(PATCH);
  directory.documents.set("a:v1", described(NEW, "Adopted."));
  write(cwd, { "gen.config.yaml": `${config}update: { patches: keep }\n` });
  const kept = await gen(["update", "--check"], cwd);
  expect(kept.status).toBe(1);
  write(cwd, { "gen.config.yaml": config });
  const pruned = await gen(["update", "--summary", "summary.md"], cwd);
  expect(pruned).toMatchObject({ status: 0, stderr: "" });
  expect(pruned.stdout).toBe(
    "a:v1: revision 20240102 → 20240202\nremoved adopted operation patches/a.yaml: describe schemas.Thing\n1 API updated, 1 unchanged, 0 kept\n",
  );
  expect(read(cwd, "summary.md")).toContain(
    "- `patches/a.yaml: describe schemas.Thing`",
  );
  const patch = read(cwd, "patches/a.yaml");
  expect(patch).toContain("# Stays.");
  expect(patch).not.toContain("Adopted.");
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
  // The property that the patch describes is gone, so the patch is stale.
  directory.documents.set("a:v1", dated("a", "20240303"));
  directory.documents.set("b:v1", dated("b", "20240303"));
  const before = read(cwd, "specs/a.v1.json");
  const stale = await gen(["update", "--json", "report.json"], cwd);
  expect(stale.status).toBe(0);
  expect(
    report(cwd).apis.map(({ status, reason }) => [status, reason]),
  ).toEqual([
    ["kept", "patch-stale"],
    ["updated", null],
  ]);
  expect(read(cwd, "specs/a.v1.json")).toBe(before);
  expect(read(cwd, "patches/a.yaml")).toBe(patch);
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
});

test("--uses counts breaking changes that affect the code", async () => {
  const { cwd, directory } = await project(["a", "b"]);
  write(cwd, {
    "src/main.ts": `import { createA } from "../generated/a/v1/index.js";
const thing = await createA({}).things.get();
console.log(thing.name20240101);
`,
    "tsconfig.json": { include: ["src"] },
  });
  directory.documents.set("a:v1", dated("a", NEW));
  directory.documents.set("b:v1", dated("b", NEW));
  const args = ["--json", "report.json", "--summary", "summary.md"];
  const uses = [...args, "--uses", "src/**", "--fail-on", "used"];
  const { status, stdout } = await gen(["update", ...uses], cwd);
  expect(status).toBe(3);
  expect(stdout).toMatch(
    /a:v1: .*; breaking: .*[1-9] of them affect this code/,
  );
  const [a, b] = report(cwd).apis;
  expect(a!["used"]).toBeGreaterThan(0);
  expect(b!["used"]).toBe(0);
  const summary = read(cwd, "summary.md");
  expect(summary).toContain("src/main.ts:3:");
  expect(summary.indexOf("Changes that affect this code")).toBeLessThan(
    summary.indexOf("Breaking changes"),
  );
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
});

test("a summary has at most --max-bytes, and breaking changes are the last to go", async () => {
  const { cwd, directory } = await project(["a", "b"]);
  const many = (revision: string): object => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `p${revision}${at}`,
        {
          type: "string",
        },
      ]),
    );
    const Many = { id: "Many", type: "object", properties };
    const document = dated("b", revision) as { schemas: object };
    return { ...document, schemas: { ...document.schemas, Many } };
  };
  directory.documents.set("a:v1", dated("a", NEW));
  directory.documents.set("b:v1", many(NEW));
  await gen(["update"], cwd);
  directory.documents.set("a:v1", dated("a", "20240303"));
  directory.documents.set("b:v1", many("20240303"));
  for (const limit of [1_000, 2_000, 4_000, 8_000, 16_000]) {
    const args = ["update", "--check", "--json", "report.json", "--summary"];
    await gen([...args, "summary.md", "--max-bytes", String(limit)], cwd);
    const text = read(cwd, "summary.md");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text).toContain("| `b:v1` |");
    expect(text).toMatch(
      /#### Not shown: \d+\n\n(- `[ab]:v1`: .*\n)+$|changes not shown/,
    );
    const shown = text.split("#### Not shown")[0]!;
    if (/breaking/.test(text.split("#### Not shown")[1] ?? ""))
      expect(shown).not.toMatch(/<summary>/);
  }
});

test("a stored document that can't be read is replaced", async () => {
  const { cwd, directory } = await project(["a"]);
  directory.documents.set("a:v1", dated("a", NEW));
  write(cwd, { "specs/a.v1.json": "{" });
  const { status, stderr, stdout } = await gen(["update"], cwd);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout:
      "a:v1: revision 20240101 → 20240202\n1 API updated, 0 unchanged, 0 kept\n",
  });
  expect(stderr).toMatch(/specs\/a\.v1\.json.*warning/);
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
});

test("equal problems of several APIs are one message", async () => {
  const { cwd, directory } = await project(["a", "b", "c"]);
  for (const name of ["a", "b", "c"])
    directory.documents.set(`${name}:v1`, 403);
  const { stdout } = await gen(["update", "--summary", "summary.md"], cwd);
  expect(stdout).toBe(
    `3 APIs (a:v1, b:v1, c:v1): kept (unreachable): ${directory.origin}/…: the server responded with 403 Forbidden\n0 APIs updated, 0 unchanged, 3 kept\n`,
  );
  expect(read(cwd, "summary.md").match(/403/g)).toHaveLength(1);
});

test("invalid usage", async () => {
  const { cwd } = await project(["a"]);
  for (const args of [
    ["--max-bytes", "10"],
    ["--max-bytes", "many"],
    ["--summary", "-", "--json", "-"],
    ["--fail-on", "everything"],
    ["--no-config"],
    ["--summary", "missing/summary.md"],
  ])
    expect((await gen(["update", ...args], cwd)).status).toBe(2);
  expect(existsSync(path.join(cwd, "missing"))).toBe(false);
});

test("gen remove deletes the entry, the lock entry, the document and the output", async () => {
  const { cwd, directory } = await project(["a", "b"]);
  const config = read(cwd, "gen.config.yaml");
  write(cwd, { "gen.config.yaml": config.replace("  a", "  # First.\n  a") });
  directory.documents.set("b:v1", dated("b", NEW));
  expect(await gen(["remove", "c:v1"], cwd)).toMatchObject({ status: 2 });
  expect(await gen(["remove", "a:v1"], cwd)).toEqual({
    status: 0,
    stdout:
      "a:v1: removed; deleted specs/a.v1.json, generated/a/v1\nchanged gen.config.yaml\n",
    stderr: "",
  });
  expect(read(cwd, "gen.config.yaml")).toBe(
    config.replace("  a:v1: {}", "  # First."),
  );
  expect(read(cwd, "gen.lock.json")).not.toContain("a:v1");
  expect(readdirSync(path.join(cwd, "specs"))).toEqual(["b.v1.json"]);
  expect(readdirSync(path.join(cwd, "generated")).sort()).toEqual([
    ".gen-manifest.json",
    "b",
    "runtime",
  ]);
  expect(read(cwd, "specs/b.v1.json")).toContain(OLD);
  expect(await gen(["--check", "--frozen"], cwd)).toMatchObject({ status: 0 });
  const last = await gen(["remove", "b:v1", "--format", "json"], cwd);
  expect(JSON.parse(last.stdout)).toEqual({
    removed: [
      {
        id: "b:v1",
        document: "specs/b.v1.json",
        output: ["generated/b/v1"],
        patches: [],
      },
    ],
    config: "gen.config.yaml",
    diagnostics: [],
  });
  expect(existsSync(path.join(cwd, "generated/runtime"))).toBe(false);
});

test("gen remove keeps documents of the project, and does not edit programs", async () => {
  const cwd = temporaryFolder();
  const config = {
    out: "out",
    apis: { "a:v1": { source: "a.json" }, "b:v1": { source: "b.json" } },
  };
  write(cwd, { "a.json": apiOf("a"), "b.json": apiOf("b") });
  write(cwd, { "gen.config.js": `export default ${JSON.stringify(config)};` });
  expect(await gen([], cwd)).toMatchObject({ status: 0 });
  const before = tree(cwd);
  const refused = await gen(["remove", "a:v1"], cwd);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('delete "a:v1" from it');
  expect(tree(cwd)).toEqual(before);
});

test("gen outdated lists outdated documents, and their impact", async () => {
  const { cwd, directory } = await project(["a", "b", "c"]);
  expect((await gen(["outdated"], cwd)).stdout).toBe(
    "3 documents up to date\n",
  );
  directory.documents.set("a:v1", dated("a", NEW));
  directory.documents.delete("c:v1");
  const table = await gen(["outdated", "--impact"], cwd);
  expect(table.stdout).toBe(
    [
      "API   locked    latest    status               breaking           warnings",
      "a:v1  20240101  20240202  outdated             3 client, 1 types  0",
      "c:v1  20240101  -         no longer published  -                  -",
      "",
    ].join("\n"),
  );
  expect(table.status).toBe(3);
  expect(table.stderr).toMatch(
    /error remote-gone: c:v1 is no longer published/,
  );
  const all = await gen(["outdated", "--all"], cwd);
  expect(all.stdout).toContain("b:v1  20240101  20240101  up to date");
  const json = await gen(["outdated", "--impact", "--format", "json"], cwd);
  expect(JSON.parse(json.stdout)).toMatchObject({
    apis: [
      { id: "a:v1", status: "outdated", breaking: { client: 3 }, warnings: 0 },
      { id: "b:v1", status: "current" },
      { id: "c:v1", status: "gone" },
    ],
  });
  for (const name of ["a", "b", "c"])
    directory.documents.set(`${name}:v1`, 403);
  const { stderr } = await gen(["fetch"], cwd);
  expect(stderr).toContain("3 APIs (a:v1, b:v1, c:v1): ");
  expect(stderr.match(/403/g)).toHaveLength(1);
});

test("gen changelog of two files does not read the config", async () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "a.json": apiOf("a"),
    "b.json": apiOf("a", "v1", "2"),
    "gen.config.yaml": "unknown: true\n",
  });
  expect(await gen(["changelog", "a.json", "b.json"], cwd)).toMatchObject({
    status: 0,
    stderr: "",
  });
});

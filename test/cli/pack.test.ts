import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { compilerCommand } from "../support/compiler.js";
import { ROOT } from "../support/paths.js";
import { apiOf, tree, write } from "./support.js";

/** Project in which the packed package is installed. */
let cwd = "";
/** Sizes of the files in the tarballs by path. */
let packed: ReadonlyMap<string, number>;
let packedRuntime: ReadonlyMap<string, number>;

beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), "gen-pack-"));
  write(cwd, {
    "package.json": { name: "consumer", private: true, type: "module" },
    "specs/demo.json": apiOf("demo"),
  });
  // Global setup has built the packages.
  packed = install(ROOT, "discovery-codegen");
  packedRuntime = install(
    path.join(ROOT, "dist/runtime-package"),
    "discovery-codegen-runtime",
  );
  // Links the commands.
  npm(["rebuild", "--offline", "--ignore-scripts"], cwd);
}, 120_000);

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function npm(args: readonly string[], folder: string): string {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return execFileSync("npm", [...args, ...quiet], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * Packs a package and installs it without a registry; returns the sizes of the
 * files in the tarball by path.
 */
function install(source: string, name: string): Map<string, number> {
  const args = ["--json", "--ignore-scripts", "--pack-destination", cwd];
  const [pack] = JSON.parse(npm(["pack", ...args], source)) as {
    filename: string;
    files: { path: string; size: number }[];
  }[];
  const folder = path.join(cwd, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const file = path.join(cwd, pack!.filename);
  execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  return new Map(pack!.files.map((entry) => [entry.path, entry.size]));
}

function compile(name: string, include: readonly string[]): string {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  write(cwd, { [name]: { compilerOptions, include } });
  const { program, args, env } = compilerCommand("typescript", name);
  return spawnSync(program, args, { cwd, env, encoding: "utf8" }).stdout;
}

test("the tarball contains only runnable files, documents and the license", () => {
  const folders = [...packed.keys()].map((name) => name.split("/")[0]!);
  expect([...new Set(folders)].sort()).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "bench",
    "bin",
    "dist",
    "docs",
    "generated",
    "migrations",
    "package.json",
    "specs",
    "templates",
  ]);
  const strange = [...packed.keys()].filter(
    (name) =>
      !/^(bin|dist|templates)\/.*\.(js|d\.ts|hbs)$/.test(name) &&
      // Editors validate files with these schemas.
      name !== "generated/overrides/overrides.schema.json" &&
      !/^generated\/schemas\/[\w.]+\.schema\.json$/.test(name) &&
      // The directory service serves these documents.
      !/^specs\/[a-z]+\.v[\d.]+\.json$/.test(name) &&
      // `gen serve --store` runs these statements.
      !/^migrations\/\d{4}_\w+\.sql$/.test(name) &&
      name !== "dist/THIRD-PARTY-NOTICES.txt" &&
      // The README and the documents that it links refer to these files.
      !/^(docs\/[\w-]+\.(md|svg|png)|(bench|specs)\/README\.md|specs\/overrides\.md|bench\/charts\/\w+\.svg)$/.test(
        name,
      ) &&
      !/^(README\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md|LICENSE|package\.json)$/.test(
        name,
      ),
  );
  expect(strange).toEqual([]);
  expect([...packed.keys()].join("\n")).not.toMatch(
    /(?:^|\/)test|\.test\.|\.map$/m,
  );
  const unpacked = [...packed.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(unpacked).toBeLessThan(8_000_000);
});

test("the package has no dependencies and no install scripts, and optional peers", () => {
  const root = path.join(cwd, "node_modules/discovery-codegen");
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(path.join(root, "package.json"), "utf8"),
  ) as Record<string, object | undefined>;
  expect(dependencies).toBeUndefined();
  const optional = [
    "@aws-sdk/client-s3",
    "@aws-sdk/lib-storage",
    "@aws-sdk/s3-request-presigner",
    "@opentelemetry/api",
    "@opentelemetry/sdk-node",
    "classic-level",
    "graphile-worker",
    "node-pg-migrate",
    "oxc-transform",
    "pg",
    "pg-copy-streams",
    "rate-limiter-flexible",
    "ts-morph",
  ];
  expect(Object.keys(peerDependencies!)).toEqual(optional);
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(optional.map((name) => [name, { optional: true }])),
  );
  expect(
    statSync(path.join(cwd, "node_modules/.bin/gen")).mode & 0o111,
  ).not.toBe(0);
});

test("the notices list every bundled package with its license", () => {
  const root = path.join(cwd, "node_modules/discovery-codegen");
  const file = path.join(root, "dist/THIRD-PARTY-NOTICES.txt");
  const text = readFileSync(file, "utf8");
  for (const name of ["ajv", "commander", "handlebars", "yaml"])
    expect(text).toMatch(new RegExp(`^${name} \\d.* \\(`, "m"));
  expect(text).toContain("Permission is hereby granted");
});

test("every file that README and docs link is in the tarball", () => {
  const root = path.join(cwd, "node_modules/discovery-codegen");
  const pages = [...packed.keys()].filter((name) => name.endsWith(".md"));
  for (const page of pages) {
    const text = readFileSync(path.join(root, page), "utf8");
    for (const [, link] of text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)) {
      const target = path.posix.join(path.posix.dirname(page), link!);
      // Screenshots would enlarge the package.
      if (target.startsWith("docs/images/")) continue;
      const isThere = [...packed.keys()].some(
        (name) =>
          name === target || name.startsWith(target.replace(/\/?$/, "/")),
      );
      expect(isThere, `${page} links ${link}`).toBe(true);
    }
  }
});

/** Matches the specifier of an import. */
const MODULE = /^(?:import|export|\}).* from "([^"]+)";$/gm;

test("the output has no dependencies", () => {
  const gen = path.join(cwd, "node_modules/.bin/gen");
  const targets = ["--target", "client,server,validator"];
  const args = ["--spec", "specs", "--out", "alone", ...targets];
  execFileSync(gen, args, { cwd, stdio: "ignore" });
  const files = [...tree(path.join(cwd, "alone")).keys()];
  expect(files).toContain("demo/v1/server.ts");
  const modules = files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(path.join(cwd, "alone", name), "utf8"))
    .flatMap((text) => [...text.matchAll(MODULE)].map(([, from]) => from!));
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((from) => !/^\.\.?\//.test(from))).toEqual([]);
});

test.each([
  [
    "classic-level",
    [
      "marketplace",
      "owner",
      "add",
      "--username",
      "eve",
      "--email",
      "e@x.org",
      "--data",
      "d",
    ],
  ],
  ["pg", ["serve", "marketplace", "--store", "postgresql://127.0.0.1:1/none"]],
  [
    "ts-morph",
    [
      "scaffold",
      "--spec",
      "specs/demo.json",
      "--generated",
      "alone",
      "--out",
      "existing.ts",
    ],
  ],
])("a command that needs %s says how to install it", (name, args) => {
  write(cwd, { "existing.ts": "export {};\n" });
  const gen = path.join(cwd, "node_modules/.bin/gen");
  const { status, stderr } = spawnSync(gen, args, { cwd, encoding: "utf8" });
  expect(stderr).toContain(`npm install ${name}`);
  expect(status).toBe(2);
});

test("no file in the tarball names the machine that built it", () => {
  const root = path.join(cwd, "node_modules/discovery-codegen");
  for (const name of packed.keys())
    expect(readFileSync(path.join(root, name), "utf8"), name).not.toContain(
      ROOT,
    );
});

test("npx gen generates, and so does discovery-codegen", () => {
  const alone = ["--offline", "--no-install", "gen"];
  const other = path.join(cwd, "node_modules/.bin/discovery-codegen");
  for (const [out, program, ...first] of [
    ["out-gen", "npx", ...alone],
    ["out-discovery-codegen", other],
  ] as const) {
    const args = [...first, "--spec", "specs", "--out", out];
    const run = spawnSync(program, args, { cwd, encoding: "utf8" });
    expect(run.stderr.replace(/^npm warn .*\n/gm, "")).toBe("");
    expect(run.stdout).toMatch(/^1 of 1 document: \d+ files created\n/);
    expect(run.stdout).toContain("import { createDemo } from ");
    expect(run.status).toBe(0);
    expect(tree(path.join(cwd, out)).has("demo/v1/index.ts")).toBe(true);
  }
});

test("the output compiles with a copied and with an imported runtime", () => {
  for (const where of ["copy", "package"]) {
    const gen = path.join(cwd, "node_modules/.bin/gen");
    const args = ["--spec", "specs", "--out", where, "--runtime", where];
    execFileSync(gen, args, { cwd, stdio: "ignore" });
    expect(tree(path.join(cwd, where)).has("runtime")).toBe(where === "copy");
    expect(compile(`tsconfig.${where}.json`, [where])).toBe("");
  }
});

test("output that imports the runtime runs where the generator is not installed", () => {
  const app = path.join(cwd, "production");
  const args = ["--spec", "specs", "--out", "production", "--emit", "js"];
  const gen = path.join(cwd, "node_modules/.bin/gen");
  const generate = () =>
    spawnSync(gen, [...args, "--runtime", "package"], {
      cwd,
      encoding: "utf8",
    });
  const refused = generate();
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("run `npm install oxc-transform`");
  const compiler = path.join(cwd, "node_modules/oxc-transform");
  symlinkSync(path.join(ROOT, "node_modules/oxc-transform"), compiler);
  const generated = generate();
  rmSync(compiler);
  expect(generated.status, generated.stderr).toBe(0);
  write(app, {
    "package.json": { type: "module" },
    "main.js": `
      import { createDemo } from "./demo/v1/index.js";
      import { ApiError } from "discovery-codegen-runtime/client";
      const fetch = async () => new Response("{}", { status: 404 });
      const demo = createDemo({ fetch });
      const error = await demo.things.get().catch((cause) => cause);
      console.log(error instanceof ApiError);`,
  });
  // The generator is not in a parent folder either.
  const alone = mkdtempSync(path.join(tmpdir(), "gen-production-"));
  onTestFinished(() => rmSync(alone, { recursive: true, force: true }));
  cpSync(app, alone, { recursive: true });
  cpSync(
    path.join(cwd, "node_modules/discovery-codegen-runtime"),
    path.join(alone, "node_modules/discovery-codegen-runtime"),
    { recursive: true },
  );
  const run = spawnSync(process.execPath, ["main.js"], {
    cwd: alone,
    encoding: "utf8",
  });
  expect(run).toMatchObject({ stdout: "true\n", stderr: "", status: 0 });
});

test("the package of the runtime has the generator's version, and no dependencies", () => {
  const manifestOf = (name: string) =>
    JSON.parse(
      readFileSync(
        path.join(cwd, "node_modules", name, "package.json"),
        "utf8",
      ),
    ) as Record<string, unknown>;
  const runtime = manifestOf("discovery-codegen-runtime");
  expect(runtime["version"]).toBe(manifestOf("discovery-codegen")["version"]);
  expect(runtime).not.toHaveProperty("dependencies");
  expect(runtime).not.toHaveProperty("peerDependencies");
  const strange = [...packedRuntime.keys()].filter(
    (name) =>
      !/^(auth|client|conformance|server|validator)\/.*\.(js|d\.ts)$/.test(
        name,
      ) && !["LICENSE", "README.md", "package.json"].includes(name),
  );
  expect(strange).toEqual([]);
});

test("gen doctor reports a runtime of another version", () => {
  const folder = path.join(cwd, "other-runtime");
  write(folder, {
    "a.json": apiOf("a"),
    "gen.config.json": {
      out: "gen",
      runtime: "package",
      apis: { a: { source: "a.json" } },
    },
  });
  const gen = path.join(cwd, "node_modules/.bin/gen");
  const doctor = () =>
    spawnSync(gen, ["doctor"], { cwd: folder, encoding: "utf8" }).stdout;
  execFileSync(gen, [], { cwd: folder });
  expect(doctor()).toMatch(/^ok {6}runtime: discovery-codegen-runtime \d/m);
  write(folder, {
    "node_modules/discovery-codegen-runtime/package.json": { version: "0.0.1" },
  });
  expect(doctor()).toMatch(
    /^error {3}runtime: discovery-codegen-runtime 0\.0\.1 is installed; expected/m,
  );
});

test("a program can call generate, check and load with their types", () => {
  const program = `
    import {
      check, generate, load,
      type Api, type Diagnostic, type GenerateOptions, type GenerateResult,
    } from "discovery-codegen";
    const options: GenerateOptions = { spec: "specs", out: "programmed" };
    const before: GenerateResult = await check(options);
    const { files, diagnostics } = await generate(options);
    const found: readonly Diagnostic[] = diagnostics;
    const api: Api | undefined = load("{}", "x.json").api;
    const after: boolean = (await check(options)).changed;
    const [first] = load(new TextEncoder().encode("{")).diagnostics;
    // @ts-expect-error out is required
    void (() => generate({ spec: "specs" }));
    export const result = [
      before.changed, files.length > 0, found.length, api === undefined, after, first?.code,
    ];`;
  write(cwd, { "program/main.ts": program });
  expect(compile("tsconfig.program.json", ["program"])).toBe("");
  const { code } = transformSync(program, { loader: "ts" });
  const script = `${code}\nconsole.log(JSON.stringify(result));`;
  const args = ["--input-type=module", "-e", script];
  const run = execFileSync(process.execPath, args, { cwd, encoding: "utf8" });
  expect(JSON.parse(run)).toEqual([true, true, 0, true, false, "json-syntax"]);
});

test("gen init, a config that imports the package, and runConfig work in a project", () => {
  const folder = path.join(cwd, "configured");
  write(folder, { "specs/demo.v1.json": apiOf("demo") });
  const gen = path.join(cwd, "node_modules/.bin/gen");
  const run = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(gen, args, { cwd: folder, encoding: "utf8" });
  expect(run("init", "--api", "specs/demo.v1.json").status).toBe(0);
  const config = path.join(folder, "gen.config.yaml");
  const [, schema] = /\$schema=(\S+)/.exec(readFileSync(config, "utf8"))!;
  expect(
    JSON.parse(readFileSync(path.join(folder, schema!), "utf8")),
  ).toMatchObject({
    type: "object",
  });
  expect(run()).toMatchObject({ status: 0, stderr: "" });
  expect(run("doctor").status).toBe(0);
  expect(run("completion", "bash").stdout).toContain("complete -F _gen gen");
  rmSync(config);
  write(folder, {
    "gen.config.mjs": `import { defineConfig } from "discovery-codegen";
      export default defineConfig({ out: "generated", apis: { "demo:v1": {} } });`,
    "main.ts": `
      import { defineConfig, runConfig, type GenConfig, type RunConfigResult } from "discovery-codegen";
      const config: GenConfig = defineConfig({
        out: "other",
        apis: { "demo:v1": { target: ["client", "server"], include: ["demo.things.*"] } },
        jobs: [{ apis: ["demo:v1"], importSuffix: "ts" }],
      });
      // @ts-expect-error unknown key
      void (() => defineConfig({ out: "x", apis: {}, outt: "y" }));
      // @ts-expect-error unknown target
      void (() => defineConfig({ out: "x", apis: { "a:b": { target: ["clent"] } } }));
      const file: RunConfigResult = await runConfig({ check: true });
      const object = await runConfig({ config: { ...config, target: "server" }, check: true });
      export const result = [
        file.changed, file.diagnostics.length, object.changed, object.files[0]?.out,
      ];`,
  });
  expect(run("--check").status).toBe(0);
  expect(compile("tsconfig.configured.json", ["configured/main.ts"])).toBe("");
  const { code } = transformSync(
    readFileSync(path.join(folder, "main.ts"), "utf8"),
    { loader: "ts" },
  );
  const script = `${code}\nconsole.log(JSON.stringify(result));`;
  const args = ["--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual([false, 0, true, "other"]);
});

/** Starts services from the package, requests a path and stops them with a signal. */
async function askServer(
  folder: string,
  target: string,
  ...args: string[]
): Promise<unknown> {
  const gen = path.join(folder, "node_modules/.bin/gen");
  const child = spawn(gen, ["serve", ...args, "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let said = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer): void => {
      said += data.toString();
      const found = /^listening on (http:\S+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void ended.then(() => reject(new Error(said)));
  });
  const answer = await fetch(origin + target);
  const value: unknown = await answer.json();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  return value;
}

test("the directory service runs from the package and serves its descriptions", async () => {
  const target = "/discovery/v1/apis?fields=items(id)";
  const list = await askServer(cwd, target, "directory");
  const ids = ["admin", "chat", "discovery", "marketplace", "migration"];
  expect(list).toEqual({
    items: ids.map((name) => ({ id: `${name}:v1` })),
  });
});

test("a mock runs from the package", async () => {
  const spec = "node_modules/discovery-codegen/specs/chat.v1.json";
  const args = ["--mock", "--spec", spec];
  const models = await askServer(cwd, "/v1/models", ...args);
  expect(models).toMatchObject({ object: expect.anything() });
});

test("the store in a folder and gen scaffold run with the packages that they need", () => {
  const full = mkdtempSync(path.join(tmpdir(), "gen-pack-full-"));
  onTestFinished(() => rmSync(full, { recursive: true, force: true }));
  cpSync(cwd, full, { recursive: true, verbatimSymlinks: true });
  const modules = path.join(full, "node_modules");
  for (const name of ["classic-level", "ts-morph"])
    symlinkSync(
      realpathSync(path.join(ROOT, "node_modules", name)),
      path.join(modules, name),
    );
  const gen = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(path.join(modules, ".bin/gen"), args, {
      cwd: full,
      encoding: "utf8",
    });
  const owner = ["--username", "eve", "--email", "e@x.org", "--data", "data"];
  const added = gen("marketplace", "owner", "add", ...owner);
  expect(added).toMatchObject({ status: 0, stdout: "added eve\n" });
  const service = ["--generated", "alone", "--out", "service.ts"];
  const scaffolded = gen("scaffold", "--spec", "specs/demo.json", ...service);
  expect(scaffolded).toMatchObject({ stderr: "", status: 0 });
});

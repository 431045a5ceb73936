import { readFileSync, writeFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { node } from "../compile/process.js";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, gen, tree, write } from "./support.js";

const ARGS = ["--spec", "demo.json", "--out", "out"];
const ALL = [...ARGS, "--target", "client,validator,server,conformance"];

function project(
  files: Readonly<Record<string, string | object>> = {},
): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "demo.json": apiOf("demo"),
    "package.json": { type: "module" },
    ...files,
  });
  return cwd;
}

/** Returns the paths of files below the output folder. */
function files(cwd: string, prefix = ""): string[] {
  const entries = [...tree(path.join(cwd, "out"))];
  return entries.flatMap(([name, { kind }]) =>
    kind === "file" && name.startsWith(prefix) ? [name] : [],
  );
}

function read(cwd: string, name: string): string {
  return readFileSync(path.join(cwd, "out", name), "utf8");
}

/** Returns the text of the JavaScript to which a name of declarations is mapped. */
function follow(cwd: string, base: string, before: string): string | undefined {
  const declarations = read(cwd, `${base}.d.ts`);
  const lines = declarations
    .slice(0, declarations.indexOf(before) + before.length)
    .split("\n");
  const map = JSON.parse(read(cwd, `${base}.d.ts.map`)) as SourceMapPayload;
  const entry = new SourceMap(map).findEntry(
    lines.length - 1,
    lines.at(-1)!.length,
  );
  if (!("originalLine" in entry) || entry.originalLine === undefined)
    return undefined;
  const code = read(cwd, path.join(path.dirname(base), entry.originalSource));
  const line = code.split("\n")[entry.originalLine]!;
  return line.slice(entry.originalColumn);
}

describe("--emit js", () => {
  test("writes code that Node.js runs, and declarations", async () => {
    const cwd = project();
    expect(gen([...ALL, "--emit", "js"], { cwd }).status).toBe(0);
    const names = files(cwd);
    expect(names.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
    expect(names).toContain("demo/v1/resources/things.js");
    expect(names).toContain("demo/v1/resources/things.d.ts");
    expect(names).toContain("runtime/client/core.js");
    expect(names).toContain("runtime/client/core.d.ts");
    const script = `import { createDemo } from "./out/demo/v1/index.js";
import { createDemoServer } from "./out/demo/v1/server.js";
import { validateThing } from "./out/demo/v1/validators.js";
const server = createDemoServer({ things: { get: () => ({ name1: "a" }) } });
const demo = createDemo({ auth: "t", fetch: (url, init) => server.fetch(new Request(url, init)) });
const thing = await demo.things.get({});
console.log(JSON.stringify([thing, validateThing({ name1: 1 }).valid, validateThing(thing).valid]));
`;
    write(cwd, { "run.js": script });
    const ran = await node([path.join(cwd, "run.js")]);
    expect(ran.output).toBe('[{"name1":"a"},false,true]\n');
  });

  test("a second run and --check change nothing; another language does", () => {
    const cwd = project();
    const env = { GEN_EMIT: "js" };
    gen(ALL, { cwd, env });
    expect(gen(ALL, { cwd, env }).stdout).toMatch(/\d+ files unchanged\n$/);
    expect(gen([...ALL, "--check"], { cwd, env }).status).toBe(0);
    expect(gen([...ALL, "--check"], { cwd }).status).toBe(1);
  });

  test("replaces the files of the other language, except edited ones", () => {
    const cwd = project();
    gen(ARGS, { cwd });
    const typed = files(cwd);
    const edited = path.join(cwd, "out/demo/v1/scopes.ts");
    writeFileSync(edited, `${readFileSync(edited, "utf8")}// edited\n`);
    const { status, stderr } = gen([...ARGS, "--emit", "js"], { cwd });
    expect(status).toBe(0);
    expect(stderr).toContain("scopes.ts");
    const left = files(cwd).filter((name) => /(?<!\.d)\.ts$/.test(name));
    expect(left).toEqual(["demo/v1/scopes.ts"]);
    gen([...ARGS, "--force"], { cwd });
    expect(files(cwd)).toEqual(typed);
  });

  test("maps lead from names of values to the code, and from types nowhere", () => {
    const cwd = project();
    gen([...ALL, "--emit", "js"], { cwd });
    const things = "demo/v1/resources/things";
    expect(read(cwd, `${things}.d.ts`)).toMatch(
      /\n\/\/# sourceMappingURL=things\.d\.ts\.map\n$/,
    );
    expect(follow(cwd, things, "export declare const ")).toMatch(/^get = /);
    expect(follow(cwd, things, "export interface ")).toBeUndefined();
    expect(follow(cwd, "demo/v1/client", "declare function ")).toMatch(
      /^createDemo\(options = \{\}\)/,
    );
    expect(follow(cwd, "runtime/client/error", "declare class ")).toMatch(
      /^ApiError extends /,
    );
    // Declarations without values have no map.
    expect(files(cwd)).not.toContain("demo/v1/schemas.d.ts.map");
  });

  test("maps have the positions of formatted files", () => {
    const prettier = { semi: false, singleQuote: true, printWidth: 40 };
    const cwd = project({ ".prettierrc.json": prettier });
    const args = [
      ...ARGS,
      ..."--emit js --formatter prettier --runtime package".split(" "),
    ];
    expect(gen(args, { cwd }).status).toBe(0);
    expect(read(cwd, "demo/v1/service.js")).toContain(
      "from 'discovery-codegen-runtime",
    );
    expect(follow(cwd, "demo/v1/service", "export declare function ")).toMatch(
      /^createClient\(/,
    );
    expect(gen([...args, "--check"], { cwd }).status).toBe(0);
  });

  test("imports the runtime of the package with --runtime package", () => {
    const cwd = project();
    gen([...ALL, "--emit", "js", "--runtime", "package"], { cwd });
    expect(files(cwd, "runtime")).toEqual([]);
    const client = read(cwd, "demo/v1/client.js");
    expect(client).toContain(
      'from "discovery-codegen-runtime/client/bind-table"',
    );
  });

  test("a folder with output in both languages has both runtimes", () => {
    const cwd = project({ "other.json": apiOf("other") });
    gen(ARGS, { cwd });
    const other = ["--spec", "other.json", "--out", "out", "--emit", "js"];
    gen(other, { cwd });
    const names = files(cwd, "runtime/client/core.");
    const expected = ["core.d.ts", "core.d.ts.map", "core.js", "core.ts"];
    const present = names.map((name) => path.basename(name));
    expect(expected.filter((name) => present.includes(name))).toEqual(present);
    expect(present).toContain("core.ts");
    expect(present).toContain("core.js");
    expect(gen([...other, "--check"], { cwd }).status).toBe(0);
  });

  test("jobs of a config choose their language", () => {
    const cwd = project({
      "gen.config.json": {
        apis: { "demo:v1": { source: "demo.json" } },
        jobs: [{ out: "out/a" }, { out: "out/b", emit: "js" }],
      },
    });
    expect(gen([], { cwd }).status).toBe(0);
    expect(files(cwd, "a/demo/v1/index.")).toEqual(["a/demo/v1/index.ts"]);
    expect(files(cwd, "b/demo/v1/index.")).toEqual([
      "b/demo/v1/index.d.ts",
      "b/demo/v1/index.js",
    ]);
  });

  test("other import suffixes are refused", () => {
    const cwd = project();
    const args = [...ARGS, "--emit", "js", "--import-suffix", "none"];
    const { status, stderr } = gen(args, { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("--import-suffix none can't be combined");
    expect([...tree(cwd).keys()]).not.toContain("out");
  });

  test("--ts-nocheck applies to a TypeScript runtime that another run wrote", () => {
    const cwd = project();
    write(cwd, { "other.json": apiOf("other") });
    const option = ["--out", "out", "--ts-nocheck", "all"];
    const ts = ["--spec", "demo.json", ...option];
    expect(gen(ts, { cwd }).status).toBe(0);
    const js = ["--spec", "other.json", ...option, "--emit", "js"];
    expect(gen(js, { cwd }).status).toBe(0);
    expect(gen([...ts, "--check"], { cwd }).status).toBe(0);
    const unchecked = files(cwd).filter((name) =>
      /^\/\/ @ts-nocheck$/m.test(read(cwd, name)),
    );
    const isTypeScript = (name: string) => /(?<!\.d)\.ts$/.test(name);
    expect(unchecked).toEqual(files(cwd).filter(isTypeScript));
  });

  test("data targets write the same files", () => {
    const cwd = project();
    gen([...ARGS, "--target", "openapi"], { cwd });
    const before = files(cwd);
    gen([...ARGS, "--target", "openapi", "--emit", "js"], { cwd });
    expect(files(cwd)).toEqual(before);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { flagOf, options, variableOf } from "../../src/generate/options.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, texts, tree, write } from "./support.js";

function project(): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/a.json": apiOf("alpha"),
    "specs/deep/b.json": apiOf("beta"),
    "more/c.json": apiOf("gamma"),
  });
  return cwd;
}

function apis(cwd: string, out = "out"): string[] {
  return [...tree(path.join(cwd, out)).keys()].filter((name) =>
    /^[a-z]+\/v\d$/.test(name),
  );
}

test("--help lists every option of the table and the exit codes", () => {
  const { status, stdout, stderr } = gen(["--help"]);
  expect(status).toBe(0);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Usage: gen \[options\]/);
  for (const { name, description } of options) {
    expect(stdout).toContain(flagOf(name));
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toContain(description.slice(0, 60));
  }
  expect(stdout).toMatch(/Exit codes:\n {2}0 {2}the output was generated/);
});

test("--version prints the version of the package", () => {
  const text = readFileSync(path.join(ROOT, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  expect(gen(["--version"]).stdout).toBe(`${version}\n`);
});

describe("a usage error exits with 2, prints one message and writes nothing", () => {
  const all = ["--spec", "specs", "--out", "out"];
  test.each<[string, string[], string]>([
    ["no --out", ["--spec", "specs"], "option '--out <dir>' is missing"],
    [
      "--spec without value",
      ["--spec"],
      "'--spec <source...>' argument missing",
    ],
    [
      "an empty --out",
      ["--spec", "specs", "--out", ""],
      "<dir> of --out must not be empty",
    ],
    [
      "a typo",
      [...all, "--chek"],
      "unknown option '--chek' (Did you mean --check?)",
    ],
    ["an unknown option", [...all, "--xyzzy"], "unknown option '--xyzzy'"],
    [
      "an unknown command",
      ["generat", ...all],
      "unknown command 'generat' (did you mean generate?)",
    ],
    ["a file without --spec", ["x.json"], "unknown command 'x.json'"],
    [
      "a bad choice",
      [...all, "--import-suffix", "mjs"],
      "Allowed choices are js, ts, none",
    ],
    [
      "a bad target",
      [...all, "--target", "client,x"],
      "Allowed choices are client, validator, server, conformance, openapi, json-schema.",
    ],
    [
      "a mistyped target",
      [...all, "--target", "client,validatr"],
      "Allowed choices are client, validator, server, conformance, openapi, json-schema (did you mean validator?).",
    ],
    [
      "a bad format",
      [...all, "--format", "xml"],
      "Allowed choices are text, json, github",
    ],
    [
      "--check and --dry-run",
      [...all, "--check", "--dry-run"],
      "--check and --dry-run can't be used together",
    ],
    [
      "--quiet and --verbose",
      [...all, "--quiet", "--verbose"],
      "--verbose and --quiet can't be used together",
    ],
    [
      "a bad --dump",
      ["--spec", "specs", "--dump", "ast"],
      "Allowed choices are ir",
    ],
  ])("%s", (_, args, message) => {
    const cwd = project();
    const before = tree(cwd);
    const { status, stdout, stderr } = gen(args, { cwd });
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^gen: error usage: /);
    expect(stderr).toContain(message);
    expect(stderr).toContain(
      "fix:   Run the command with --help to see its arguments and options.",
    );
    expect(tree(cwd)).toEqual(before);
  });
});

describe("sources", () => {
  test.each<[string, string[], string[]]>([
    ["a file", ["specs/a.json"], ["alpha/v1"]],
    ["a folder", ["specs"], ["alpha/v1", "beta/v1"]],
    ["a glob", ["specs/**/*.json"], ["alpha/v1", "beta/v1"]],
    ["a glob of one level", ["*/?.json"], ["alpha/v1", "gamma/v1"]],
    ["braces", ["{specs,more}/*.json"], ["alpha/v1", "gamma/v1"]],
    ["several", ["specs/a.json", "more"], ["alpha/v1", "gamma/v1"]],
    ["one and a missing one", ["more", "nowhere"], ["gamma/v1"]],
  ])("%s", (_, specs, expected) => {
    const cwd = project();
    const { status } = gen(["--spec", ...specs, "--out", "out"], { cwd });
    expect(apis(cwd)).toEqual(expected);
    expect(status).toBe(specs.includes("nowhere") ? 2 : 0);
  });

  test("--spec can be repeated", () => {
    const cwd = project();
    gen(["--spec", "specs/a.json", "--out", "out", "--spec", "more"], { cwd });
    expect(apis(cwd)).toEqual(["alpha/v1", "gamma/v1"]);
  });

  test("standard input is read for -", () => {
    const cwd = project();
    const input = JSON.stringify(apiOf("piped"));
    const args = ["--spec", "-", "--out", "out"];
    expect(gen(args, { cwd, input }).status).toBe(0);
    expect(apis(cwd)).toEqual(["piped/v1"]);
    const { stderr, status } = gen(args, { cwd, input: "" });
    expect(stderr).toContain("-: error json-empty");
    expect(status).toBe(3);
  });
});

test("generate is the default command", () => {
  const cwd = project();
  gen(["--spec", "specs", "--out", "out"], { cwd });
  const named = ["generate", "--spec", "specs", "--out", "named"];
  expect(gen(named, { cwd }).status).toBe(0);
  expect(texts(path.join(cwd, "named"))).toEqual(texts(path.join(cwd, "out")));
});

describe("environment", () => {
  test("supplies options that the command line omits", () => {
    const cwd = project();
    const env = {
      GEN_SPEC: "specs/a.json, more/c.json",
      GEN_OUT: "out",
      GEN_IMPORT_SUFFIX: "ts",
      GEN_TRUST_PROSE: "yes",
      GEN_QUIET: "1",
    };
    const { status, stdout } = gen([], { cwd, env });
    expect([status, stdout]).toEqual([0, ""]);
    expect(apis(cwd)).toEqual(["alpha/v1", "gamma/v1"]);
    expect(texts(cwd)["out/alpha/v1/index.ts"]).toContain('"./client.ts"');
  });

  test("is overridden by the command line", () => {
    const cwd = project();
    const env = { GEN_OUT: "elsewhere", GEN_SPEC: "nowhere" };
    gen(["--spec", "specs", "--out", "out"], { cwd, env });
    expect(tree(cwd).has("elsewhere")).toBe(false);
    expect(apis(cwd)).toEqual(["alpha/v1", "beta/v1"]);
  });

  test.each([
    ["GEN_CHECK", "maybe", "GEN_CHECK must be one of 0, 1, true"],
    ["GEN_FORMAT", "xml", "GEN_FORMAT must be one of text, json"],
    ["GEN_TARGET", "x", "GEN_TARGET must be one of client"],
  ])("%s=%s is refused", (name, value, message) => {
    const args = ["--spec", "specs", "--out", "out"];
    const finished = gen(args, { cwd: project(), env: { [name]: value } });
    expect(finished.status).toBe(2);
    expect(finished.stderr).toContain(message);
  });

  test("a switch that is off and an empty variable have no effect", () => {
    const cwd = project();
    const env = { GEN_CHECK: "false", GEN_DRY_RUN: "0", GEN_FORMAT: "" };
    expect(gen(["--spec", "specs", "--out", "out"], { cwd, env }).status).toBe(
      0,
    );
    expect(apis(cwd)).toHaveLength(2);
  });

  test("every option has its variable", () => {
    const names = options.map(({ name }) => variableOf(name));
    expect(new Set(names).size).toBe(options.length);
    for (const name of names) expect(name).toMatch(/^GEN_[A-Z]+(_[A-Z]+)*$/);
  });
});

describe("options", () => {
  const run = (...args: string[]) => {
    const cwd = project();
    const finished = gen(["--spec", "specs", "--out", "out", ...args], { cwd });
    expect(finished.stderr).toBe("");
    return texts(path.join(cwd, "out"));
  };

  test.each([
    ["ts", '"./client.ts"', "./contract.ts"],
    ["none", '"./client"', "./contract"],
  ])("--import-suffix %s", (suffix, imported, runtime) => {
    const files = run("--import-suffix", suffix);
    expect(files["alpha/v1/index.ts"]).toContain(imported);
    const all = Object.values(files).join("\n");
    expect(all).toContain(`"${runtime}"`);
    expect(all).not.toMatch(/from "\.[^"]*\.js"/);
  });

  test("--runtime package copies no runtime", () => {
    const files = run("--runtime", "package");
    expect(
      Object.keys(files).filter((name) => name.startsWith("runtime")),
    ).toEqual([]);
    expect(files["alpha/v1/service.ts"]).toContain(
      '"discovery-codegen-runtime/client',
    );
  });

  test("--formatter prettier uses the project's settings", () => {
    const cwd = project();
    write(cwd, { ".prettierrc.json": { semi: false, singleQuote: true } });
    const source = ["--spec", "specs", "--runtime", "package"];
    const args = [...source, "--out", "out", "--formatter", "prettier"];
    expect(gen(args, { cwd }).status).toBe(0);
    const index = texts(cwd)["out/alpha/v1/index.ts"];
    expect(index).toContain("'./client.js'\n");
    expect(gen([...args, "--check"], { cwd }).status).toBe(0);
    write(cwd, { ".prettierrc.json": {} });
    expect(gen([...args, "--check"], { cwd }).status).toBe(1);
  });

  test("--formatter prettier with invalid settings", () => {
    const cwd = project();
    write(cwd, { ".prettierrc.json": "{" });
    const args = ["--spec", "specs", "--out", "out", "--formatter", "prettier"];
    const { status, stderr } = gen(args, { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("error usage: Prettier can't be used");
  });
});

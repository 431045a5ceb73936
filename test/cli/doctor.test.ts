import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { documentDigest } from "../../src/load/canonical.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, genProcess, texts, tree, write } from "./support.js";

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
  }[];
}

/** Runs `gen doctor`; returns its exit code, and `check status` of each result. */
function doctor(
  cwd: string,
  env: Record<string, string> = {},
): { status: number | null; found: string[]; stdout: string } {
  // A shared process keeps the location of packages that a test removes.
  const args = ["doctor", "--format", "json"];
  const { status, stdout } = genProcess(args, { cwd, env });
  const { ok, checks } = JSON.parse(stdout) as Report;
  expect(ok).toBe(status === 0);
  const found = checks
    .filter((result) => result.status !== "ok")
    .map(({ check, status: severity }) => `${check} ${severity}`);
  return { status, found, stdout };
}

/** Folder with a config whose output is generated. */
function project(config: object = {}): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.json": {
      out: "gen",
      apis: { one: { source: "one.json" } },
      ...config,
    },
    "one.json": apiOf("one"),
  });
  mkdirSync(path.join(cwd, "node_modules"));
  symlinkSync(
    path.join(ROOT, "node_modules/ts6"),
    path.join(cwd, "node_modules/typescript"),
  );
  expect(gen([], { cwd }).status).toBe(0);
  return cwd;
}

test("a project without problems", () => {
  const cwd = project({ formatter: "none" });
  const before = tree(cwd);
  expect(doctor(cwd)).toMatchObject({ status: 0, found: [] });
  const { stdout } = gen(["doctor"], { cwd });
  expect(stdout).toContain("ok      config: gen.config.json: 1 API in 1 job\n");
  expect(stdout).toMatch(/^ok {6}typescript: TypeScript 6\./m);
  expect(tree(cwd)).toEqual(before);
});

test("each problem has its check", () => {
  const cwd = project();
  const config = (value: object): void =>
    write(cwd, { "gen.config.json": value });
  const base = { out: "gen", apis: { one: { source: "one.json" } } };
  const check = (
    change: () => void,
    status: number,
    ...found: string[]
  ): void => {
    config(base);
    change();
    expect(doctor(cwd)).toMatchObject({ found, status });
  };
  check(() => config({ ...base, out: "other" }), 0, "output warning");
  check(
    () => config({ ...base, apis: { "a:b": {} } }),
    0,
    "lock warning",
    "documents warning",
  );
  check(
    () => config({ ...base, apis: { a: { source: "b.json" } } }),
    2,
    "documents error",
  );
  check(() => config({ ...base, templates: "none" }), 2, "templates error");
  check(() => config({ ...base, outt: "x" }), 2, "config error");
  check(
    () => config({ ...base, out: "one.json/x" }),
    2,
    "output warning",
    "permissions error",
  );
  check(() => write(cwd, { "gen/one/v1/index.ts": "" }), 0, "output warning");
  check(
    () => write(cwd, { "gen/.gen-manifest.json": "" }),
    0,
    "output warning",
  );
  rmSync(path.join(cwd, "gen"), { recursive: true });
  rmSync(path.join(cwd, "node_modules/typescript"));
  const lock = { "gen.lock.json": "{" };
  const rest = ["output warning", "typescript warning"];
  check(() => write(cwd, lock), 2, "lock error", ...rest);
});

test("documents edited by hand and stale patches are errors", () => {
  const cwd = temporaryFolder();
  const file = "specs/one.v1.json";
  const stored = apiOf("one");
  write(cwd, {
    "gen.config.json": {
      out: "gen",
      apis: { "one:v1": { patches: "one.patch.json" } },
    },
    "one.patch.json": {
      api: "one:v1",
      operations: [{ describe: "schemas.Thing", value: "A thing." }],
    },
    [file]: stored,
    "gen.lock.json": {
      lockVersion: 1,
      apis: {
        "one:v1": {
          url: "https://one.example/rest",
          digest: `sha256-${documentDigest(stored)}`,
        },
      },
    },
  });
  const results = (): string[] =>
    doctor(cwd).found.filter((result) =>
      /^(lock|documents|patches)/.test(result),
    );
  expect(results()).toEqual([]);
  write(cwd, { [file]: { ...stored, title: "Edited" } });
  expect(results()).toEqual(["lock error"]);
  write(cwd, { [file]: { ...stored, schemas: { Other: { id: "Other" } } } });
  expect(results()).toEqual(["lock error", "patches error"]);
  expect(doctor(cwd).stdout).toContain(
    "one.patch.json:5:7: schemas.Thing does not exist",
  );
  const Thing = { id: "Thing", type: "object", description: "A thing." };
  write(cwd, { [file]: { ...stored, schemas: { Thing } } });
  expect(results()).toEqual(["lock error", "patches warning"]);
  expect(doctor(cwd).stdout).toContain("gen patch prune");
  write(cwd, { [file]: stored, "one.patch.json": { api: "one:v1" } });
  expect(results()).toEqual(["patches error"]);
  write(cwd, { "one.patch.json": "{" });
  expect(results()).toEqual(["patches error"]);
});

test("the formatter and its settings are not run", () => {
  const cwd = project();
  const code = "require('node:fs').writeFileSync('ran', '');";
  write(cwd, {
    "gen.config.json": {
      out: "gen",
      formatter: "prettier",
      apis: { one: { source: "one.json" } },
    },
    "node_modules/prettier/package.json": {
      name: "prettier",
      version: "3.10.0",
      main: "index.cjs",
    },
    "node_modules/prettier/index.cjs": code,
    ".prettierrc.cjs": code,
  });
  const { stdout } = doctor(cwd);
  expect(stdout).toContain('"prettier 3.10.0"');
  expect(existsSync(path.join(cwd, "ran"))).toBe(false);
});

test("a folder without config is an error with its fix", () => {
  const { status, stdout } = gen(["doctor"], { cwd: temporaryFolder() });
  expect(status).toBe(2);
  expect(stdout).toContain(
    "error   config: the working directory contains no gen.config.yaml",
  );
  expect(stdout).toContain("fix: Run `gen init`");
});

test("proxies are named without their values", () => {
  const cwd = project();
  const secret = "http://user:s3cret@proxy.example:8080";
  const env = {
    HTTPS_PROXY: secret,
    http_proxy: "socks5://s3cret",
    NO_PROXY: "s3cret.example",
  };
  const { stdout, found } = doctor(cwd, env);
  expect(found).toEqual(["proxy warning"]);
  expect(stdout).toContain("set: HTTPS_PROXY, http_proxy, NO_PROXY");
  expect(stdout).toContain("http_proxy is not an http(s) URL");
  expect(stdout).not.toContain("s3cret");
});

test("control characters of names do not reach the terminal", () => {
  const cwd = project();
  write(cwd, {
    "gen.config.json": {
      out: "g\u001b[31m",
      apis: { one: { source: "x\u001b]0;\u0007" } },
    },
  });
  const { stdout } = gen(["doctor"], { cwd });
  expect(stdout).not.toContain("\u001b");
  expect(Object.keys(texts(cwd))).toContain("gen.config.json");
});

test("output that the project can't import", () => {
  const cwd = project();
  write(cwd, { "package.json": { dependencies: { next: "16" } } });
  const { status, found, stdout } = doctor(cwd);
  expect({ status, found }).toEqual({ status: 0, found: ["imports warning"] });
  expect(stdout).toContain(
    "imports in gen end with .js, but next finds TypeScript files without a suffix",
  );
  expect(stdout).toContain("Set `importSuffix: none` in the config");
});

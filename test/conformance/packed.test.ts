import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiOf, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { ROOT } from "../support/paths.js";

const FIXTURES = path.join(ROOT, "test/conformance/packed");
const TOOLS = ["pnpm", "@yarnpkg/cli-dist", "publint", "@arethetypeswrong/cli"];

/** Folder of the projects. Packages come from the registry of the machine. */
let root = "";
let tarball = "";
let registry = "";

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), "gen-packed-"));
  // Global setup has built the package.
  const args = ["pack", "--json", "--ignore-scripts"];
  const [packed] = JSON.parse(
    npm(ROOT, ...args, "--pack-destination", root),
  ) as [{ filename: string }];
  tarball = path.join(root, packed.filename);
  registry = npm(root, "config", "get", "registry").trim().replace(/\/$/, "");
  write(root, { "tools/package.json": { private: true } });
  npm(path.join(root, "tools"), "install", ...TOOLS);
}, 300_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

function npm(cwd: string, ...args: readonly string[]): string {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return execFileSync("npm", [...args, ...quiet], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command in a project; throws with its output if it fails. */
function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_GLOBAL_FOLDER: path.join(root, "yarn"),
      YARN_ENABLE_TELEMETRY: "0",
      YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
    },
  });
  if (status !== 0)
    throw new Error(`${command} ${args[0]}: ${stdout}${stderr}`);
  return stdout;
}

const tool = (name: string): string =>
  path.join(root, "tools/node_modules/.bin", name);

/** Creates an empty project with a config, a document and an entry module. */
function project(name: string): string {
  const cwd = path.join(root, name);
  write(cwd, {
    "package.json": { name: "consumer", private: true, type: "module" },
    "gen.config.json": {
      out: "src/api",
      apis: { demo: { source: "specs/demo.json" } },
    },
    "specs/demo.json": apiOf("demo"),
    "src/main.ts":
      'import { createDemo } from "./api/demo/v1/index.js";\nconsole.log(createDemo({}));\n',
    "tsconfig.json": {
      compilerOptions: {
        target: "ES2022",
        lib: ["ES2022", "DOM"],
        module: "NodeNext",
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        outDir: "built",
      },
      files: ["main.ts"],
    },
  });
  for (const file of ["main.ts", "bundlers.ts", "rollup.mjs", "webpack.mjs"])
    copyFileSync(path.join(FIXTURES, file), path.join(cwd, file));
  return cwd;
}

const COMPANIONS = ["typescript@5.9", "esbuild@0.28", "@types/node@20"];

interface Manager {
  readonly name: string;
  readonly install: (cwd: string) => void;
  /** Command that runs a binary of the project. */
  readonly exec: () => readonly [string, ...string[]];
  /** Command that runs a script. */
  readonly node: () => readonly [string, ...string[]];
}

const managers: readonly Manager[] = [
  {
    name: "npm",
    install: (cwd) => void npm(cwd, "install", tarball, ...COMPANIONS),
    exec: () => ["npx", "--no-install"],
    node: () => [process.execPath],
  },
  {
    name: "pnpm",
    install: (cwd) =>
      void run(
        cwd,
        tool("pnpm"),
        "add",
        "--ignore-scripts",
        tarball,
        ...COMPANIONS,
      ),
    exec: () => [tool("pnpm"), "exec"],
    node: () => [process.execPath],
  },
  {
    // Without node_modules (Plug'n'Play).
    name: "yarn",
    install: (cwd) => {
      write(cwd, { "yarn.lock": "" });
      const self = `discovery-codegen@file:${tarball}`;
      run(cwd, tool("yarn"), "add", self, ...COMPANIONS);
    },
    exec: () => [tool("yarn"), "run"],
    node: () => [tool("yarn"), "node"],
  },
];

describe.each(managers)("$name", ({ name, install, exec, node }) => {
  test("command, API, plugin and types work in an empty project", () => {
    const cwd = project(name);
    install(cwd);
    const inProject = (...args: string[]): string => {
      const [command, ...first] = exec();
      return run(cwd, command, ...first, ...args);
    };
    expect(inProject("gen")).toMatch(/\d+ files created/);
    expect(inProject("gen", "validate", "specs")).toContain("1 document: ");
    inProject("tsc");
    const [command, ...first] = node();
    const output = run(cwd, command, ...first, path.join("built", "main.js"));
    expect(JSON.parse(output)).toMatchObject({
      documents: 1,
      changed: false,
      errors: 0,
      isBundled: true,
    });
    expect(existsSync(path.join(cwd, "node_modules"))).toBe(name !== "yarn");
  }, 300_000);
});

describe("bundlers", () => {
  const BROKEN = JSON.stringify(description({ name: 5 }));
  let cwd = "";

  beforeAll(() => {
    cwd = project("bundlers");
    const names = [
      "vite@7",
      "rollup@4",
      "rolldown@1",
      "webpack@5",
      "@rspack/core@2",
    ];
    npm(cwd, "install", tarball, ...COMPANIONS, ...names);
  }, 300_000);

  test("the plugins have the types of the bundlers", () => {
    const args = ["--noEmit", "-p", "bundlers.json"];
    write(cwd, {
      "bundlers.json": { extends: "./tsconfig.json", files: ["bundlers.ts"] },
    });
    expect(run(cwd, "npx", "--no-install", "tsc", ...args)).toBe("");
  });

  test("vite builds with a config file, and fails", () => {
    write(cwd, {
      "specs/demo.json": apiOf("demo"),
      "vite.config.js":
        'import gen from "discovery-codegen/vite";\n' +
        'const lib = { entry: "src/main.ts", formats: ["es"] };\n' +
        "export default { plugins: [gen()], build: { lib } };\n",
    });
    const vite = ["--no-install", "vite", "build"];
    expect(run(cwd, "npx", ...vite)).toContain("built in");
    write(cwd, { "specs/demo.json": BROKEN });
    expect(() => run(cwd, "npx", ...vite)).toThrow(
      "/name must be a string, found 5",
    );
  });

  test("rollup builds, watches the inputs, and fails with the position", () => {
    write(cwd, { "specs/demo.json": apiOf("demo") });
    const output = run(cwd, process.execPath, "rollup.mjs", BROKEN);
    expect(JSON.parse(output)).toEqual({
      isBundled: true,
      watched: ["gen.config.json", "specs/demo.json"],
      code: "shape-wrong-type",
      line: 1,
      message: expect.stringContaining("/name must be a string, found 5"),
    });
  });

  const webpacks = ["webpack", "@rspack/core"];
  test.each(webpacks)(
    "%s builds, watches the inputs, and has the errors",
    (bundler) => {
      write(cwd, { "specs/demo.json": apiOf("demo") });
      mkdirSync(path.join(cwd, "dist"), { recursive: true });
      const output = run(cwd, process.execPath, "webpack.mjs", BROKEN, bundler);
      expect(JSON.parse(output)).toEqual({
        errors: [],
        isBundled: true,
        watched: ["gen.config.json", "specs/demo.json"],
        messages: [expect.stringContaining("/name must be a string, found 5")],
      });
    },
  );
});

test("publint and attw find no problems", () => {
  expect(run(root, tool("publint"), "run", tarball, "--strict")).toContain(
    "All good!",
  );
  run(root, tool("attw"), tarball, "--profile", "esm-only");
}, 120_000);

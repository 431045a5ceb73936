import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  context,
  build as esbuild,
  type BuildOptions,
  type BuildResult,
  type Plugin,
  type PluginBuild,
} from "esbuild";
import {
  build as vite,
  createLogger,
  createServer,
  type InlineConfig,
  type Logger,
} from "vite";
import { expect, onTestFinished, test } from "vitest";
import esbuildPlugin from "../../src/plugins/esbuild.js";
import vitePlugin from "../../src/plugins/vite.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";
import { apiOf, write } from "./support.js";

const CONFIG = {
  out: "src/api",
  apis: { demo: { source: "specs/demo.json" } },
};
const ENTRY = `
  import { createDemo } from "./api/demo/v1/index.js";
  console.log(createDemo({}));`;
const BROKEN = description({ name: 5 });

/** Returns a project with a config, a document and an entry module. */
function project(document: object = apiOf("demo")): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.json": CONFIG,
    "specs/demo.json": document,
    "src/main.ts": ENTRY,
  });
  return cwd;
}

const schemas = (cwd: string): string =>
  path.join(cwd, "src/api/demo/v1/schemas.ts");

/** Waits until a condition holds. */
async function until(isDone: () => boolean): Promise<void> {
  for (let waited = 0; !isDone(); waited += 20) {
    if (waited > 20_000) throw new Error("the condition did not become true");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function contains(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8").includes(text);
}

/** Returns options of a bundle; plugins are not shared between builds. */
function esbuildOptions(
  cwd: string,
  ...plugins: readonly Plugin[]
): BuildOptions {
  return {
    absWorkingDir: cwd,
    entryPoints: ["src/main.ts"],
    bundle: true,
    format: "esm",
    outfile: "dist/main.js",
    logLevel: "silent",
    plugins: [...plugins],
  };
}

/** Runs a build that fails; returns its errors. */
async function failures(cwd: string, plugin: Plugin) {
  const result: unknown = await esbuild(esbuildOptions(cwd, plugin)).catch(
    (error: unknown) => error,
  );
  return (result as BuildResult).errors;
}

test("esbuild generates before it loads modules", async () => {
  const cwd = project();
  const options = esbuildOptions(cwd, esbuildPlugin());
  const { errors, warnings } = await esbuild(options);
  expect([...errors, ...warnings]).toEqual([]);
  expect(contains(path.join(cwd, "dist/main.js"), "demo.example.com")).toBe(
    true,
  );
});

test("esbuild fails with the position of an error, and shows warnings", async () => {
  const cwd = project(BROKEN);
  const errors = await failures(cwd, esbuildPlugin());
  expect(errors[0]).toMatchObject({
    detail: "shape-wrong-type",
    pluginName: "discovery-codegen",
    location: { file: "specs/demo.json", line: 3, column: 2 },
  });
  expect(errors[0]?.text).toMatch(
    /^specs\/demo\.json:3:3: shape-wrong-type: \/name must be a string, found 5\. /,
  );
  const schema = {
    A: { id: "A", type: "object", properties: { b: { $ref: "Gone" } } },
  };
  write(cwd, { "specs/demo.json": { ...apiOf("demo"), schemas: schema } });
  const { warnings } = await esbuild(esbuildOptions(cwd, esbuildPlugin()));
  expect(warnings[0]).toMatchObject({ detail: "ref-missing" });
});

test("esbuild's watch mode generates when a document or the config changes", async () => {
  const cwd = project();
  let builds = 0;
  const counter = {
    name: "counter",
    setup: (build: PluginBuild) => build.onEnd(() => void builds++),
  };
  const options = esbuildOptions(cwd, esbuildPlugin(), counter);
  const watch = await context(options);
  onTestFinished(() => watch.dispose());
  await watch.watch();
  await until(() => builds > 0);
  write(cwd, { "specs/demo.json": apiOf("demo", "v1", "2") });
  await until(() => contains(schemas(cwd), "name2"));
  const other = { ...CONFIG, target: ["client", "validator"] };
  write(cwd, { "gen.config.json": other });
  await until(() =>
    existsSync(path.join(cwd, "src/api/demo/v1/validators.ts")),
  );
});

function viteOptions(cwd: string, customLogger: Logger): InlineConfig {
  return {
    root: cwd,
    configFile: false,
    customLogger,
    plugins: [vitePlugin()],
    build: { lib: { entry: "src/main.ts", formats: ["es"] }, outDir: "dist" },
    server: { middlewareMode: true, hmr: false, ws: false },
  };
}

/** Returns a logger that collects messages. */
function collector(): { readonly logger: Logger; readonly texts: string[] } {
  const texts: string[] = [];
  const logger = createLogger("silent");
  logger.warn = (text) => void texts.push(`warn ${text}`);
  logger.error = (text) => void texts.push(`error ${text}`);
  return { logger, texts };
}

test("vite build generates, and fails with the errors of a document", async () => {
  const cwd = project();
  const { logger } = collector();
  await vite(viteOptions(cwd, logger));
  expect(existsSync(schemas(cwd))).toBe(true);
  write(cwd, { "specs/demo.json": BROKEN });
  await expect(vite(viteOptions(cwd, logger))).rejects.toThrow(
    "specs/demo.json:3:3: shape-wrong-type",
  );
  // The output remains.
  expect(existsSync(schemas(cwd))).toBe(true);
});

test("vite's server generates at its start and after changes, and survives errors", async () => {
  const cwd = project();
  const { logger, texts } = collector();
  const server = await createServer(viteOptions(cwd, logger));
  onTestFinished(() => server.close());
  expect(existsSync(schemas(cwd))).toBe(true);
  const entry = await server.transformRequest("/src/main.ts");
  expect(entry?.code).toContain("/src/api/demo/v1/index");
  write(cwd, { "specs/demo.json": BROKEN });
  await until(() => texts.length > 0);
  expect(texts[0]).toContain("error [discovery-codegen] specs/demo.json:3:3");
  expect(existsSync(schemas(cwd))).toBe(true);
  write(cwd, { "specs/demo.json": apiOf("demo", "v1", "3") });
  await until(() => contains(schemas(cwd), "name3"));
  // A change of another file starts no generation.
  const before = statSync(path.join(cwd, "src/api/.gen-manifest.json")).mtimeMs;
  writeFileSync(path.join(cwd, "src/main.ts"), `${ENTRY}\n`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(statSync(path.join(cwd, "src/api/.gen-manifest.json")).mtimeMs).toBe(
    before,
  );
});

test("check fails a build whose output is not up to date", async () => {
  const cwd = project();
  const errors = await failures(cwd, esbuildPlugin({ check: true }));
  expect(errors.map(({ detail }) => detail as unknown)).toContain(
    "output-drift",
  );
  expect(existsSync(schemas(cwd))).toBe(false);
});

test("a missing config is an error of the build", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "src/main.ts": "export {};" });
  const errors = await failures(cwd, esbuildPlugin());
  expect(errors).toHaveLength(1);
  expect(errors[0]?.text).toMatch(/config/);
});

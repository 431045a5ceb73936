// Builds what the package ships and what the sources import as #built/*:
//   dist/built/check-document.js   the document checker, compiled by ajv
//   dist/built/templates.js        templates, compiled by Handlebars
//   dist/built/runtime-*.js        sources of the runtimes, which are copied into output
//   dist/built/runtime.js          the fingerprint of all sources, the version
//   dist/built/site-script.js      the script of the reference site, as text
//   dist/built/overrides.js        versions and the upgrade of overrides files
//   dist/built/inputs.txt          hash of everything that was read (build-inputs.mjs)
//   dist/cli.js, dist/index.js, dist/plugins/, dist/chunks/  the bundle
//   dist/types/                    declarations of the public API
//   dist/runtime-package/          the package discovery-codegen-runtime
//   dist/THIRD-PARTY-NOTICES.txt   licences of bundled packages
// The new dist/ replaces the old one at the end, so a build that fails, or runs
// during tests, has no effect on them.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { build, transformSync } from "esbuild";
import Handlebars from "handlebars";
import { hashInputs, RECORD } from "./build-inputs.mjs";
import { notices } from "./notices.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const { license, version, peerDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const work = `.tmp/build-${process.pid}`;
const dist = `${work}/dist`;
const built = `${dist}/built`;

/** Returns the files below a folder, sorted, with forward slashes. */
function walk(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath, entry.name))
        .replaceAll(path.sep, "/"),
    )
    .sort();
}

const read = (name) => readFileSync(name, "utf8");

function writeModule(name, value) {
  const text = `export default ${JSON.stringify(value)};\n`;
  writeFileSync(`${built}/${name}.js`, text);
}

/** Compiles the JSON Schema of documents; returns the inputs of its bundle. */
async function buildChecker() {
  const ajv = new Ajv({
    allErrors: true,
    code: { source: true, esm: true },
    allowUnionTypes: true,
    strictTypes: false,
  });
  const schema = JSON.parse(read("src/load/document.schema.json"));
  const { metafile } = await build({
    stdin: {
      contents: standalone(ajv, ajv.compile(schema)),
      resolveDir: root,
    },
    bundle: true,
    format: "esm",
    minifySyntax: true,
    metafile: true,
    outfile: `${built}/check-document.js`,
  });
  return metafile.inputs;
}

function buildTemplates() {
  const entries = walk("templates")
    .filter((name) => name.endsWith(".hbs"))
    .map((name) => {
      const code = Handlebars.precompile(read(`templates/${name}`), {
        knownHelpersOnly: true,
        preventIndent: true,
      });
      return `${JSON.stringify(name.slice(0, -4))}: ${code}`;
    });
  const text = `export default {\n${entries.join(",\n")}\n};\n`;
  const { code } = transformSync(text, { minify: true, format: "esm" });
  writeFileSync(`${built}/templates.js`, code);
}

/** Writes a module for each runtime, so that a run loads only those that it copies. */
function buildRuntimes() {
  for (const target of readdirSync("src/runtime")) {
    const folder = `src/runtime/${target}`;
    const sources = walk(folder).filter((name) => name.endsWith(".ts"));
    const texts = sources.map((name) => [name, read(`${folder}/${name}`)]);
    writeModule(`runtime-${target}`, Object.fromEntries(texts));
  }
  const text = `export const fingerprint = ${JSON.stringify(fingerprint())};\nexport const version = ${JSON.stringify(version)};\n`;
  writeFileSync(`${built}/runtime.js`, text);
}

/** Bundles the script of the reference site; returns the inputs. */
async function buildSiteScript() {
  const { outputFiles, metafile } = await build({
    entryPoints: ["src/site/browser/main.ts"],
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    // Escapes other characters, so that the script has no invisible ones.
    charset: "ascii",
    metafile: true,
    write: false,
  });
  writeModule("site-script", outputFiles[0].text);
  return metafile.inputs;
}

/** Writes the parts of the description of overrides files that are not rules. */
function buildOverrides() {
  const description = JSON.parse(read("specs/overrides.v1.3.json"));
  const detection = JSON.stringify(description["x-detection"]);
  const upgrade = JSON.stringify(description["x-upgrade"]);
  const text = `export const detection = ${detection};\nexport const upgrade = ${upgrade};\n`;
  writeFileSync(`${built}/overrides.js`, text);
}

/** Returns the hash of all sources that affect output. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const folder of [
    "templates",
    "src/load",
    "src/model",
    "src/patch",
    "src/render",
    "src/runtime",
    "src/select",
    "src/targets",
  ])
    for (const name of walk(folder))
      hash
        .update(`${folder}/${name}\0`)
        .update(readFileSync(`${folder}/${name}`))
        .update("\0");
  return hash.digest("base64url");
}

/** Files that users import, and the command line, by their names in dist/. */
const ENTRIES = {
  cli: "src/cli/main.ts",
  index: "src/index.ts",
  operations: "src/services/operations/index.ts",
  "plugins/esbuild": "src/plugins/esbuild.ts",
  "plugins/rollup": "src/plugins/rollup.ts",
  "plugins/vite": "src/plugins/vite.ts",
  "plugins/webpack": "src/plugins/webpack.ts",
};

/**
 * Makes all entries, and modules that are imported on demand, import the command
 * line too. esbuild writes a chunk for each set of entries that share modules, so
 * the command line is then one chunk instead of 60, which take 30 ms longer.
 */
const oneChunk = {
  name: "one-chunk",
  setup({ onResolve, onLoad }) {
    const entries = new Set();
    onResolve({ filter: /^(\.|src\/)/ }, ({ kind, resolveDir, path: name }) => {
      if (kind === "entry-point" || kind === "dynamic-import")
        entries.add(path.resolve(resolveDir, name.replace(/\.js$/, ".ts")));
    });
    onLoad({ filter: /\.ts$/ }, ({ path: file }) =>
      entries.has(file) && file !== path.resolve(ENTRIES.cli)
        ? {
            contents: `${read(file)}\nimport ${JSON.stringify(path.resolve(ENTRIES.cli))};`,
            loader: "ts",
          }
        : undefined,
    );
  },
};

/** Bundles all entries; returns the inputs. */
async function bundle() {
  const { metafile } = await build({
    entryPoints: ENTRIES,
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    alias: {
      "#built": path.resolve(built),
      // The main file of jsonc-parser can't be bundled.
      "jsonc-parser": "jsonc-parser/lib/esm/main.js",
    },
    plugins: [oneChunk],
    external: Object.keys(peerDependencies).concat("prettier"),
    // Bundled CommonJS packages require modules of Node.js.
    banner: {
      js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
    },
  });
  return metafile.inputs;
}

/** Runs the compiler with a config file of this folder; waits for its end. */
async function compile(config, outDir) {
  const tsc = "node_modules/typescript/bin/tsc";
  const args = [tsc, "-p", config, "--outDir", outDir];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`the compiler exited with ${status}`);
}

/** Writes the package discovery-codegen-runtime, whose version is that of the generator. */
async function buildRuntimePackage() {
  const folder = `${dist}/runtime-package`;
  await compile("tsconfig.runtime.json", folder);
  // The functions of rules/ are part of rules.ts, which imports nothing.
  const names = readdirSync("src/runtime").filter((name) => name !== "rules");
  const exports = names.flatMap((name) => [
    ...(existsSync(`src/runtime/${name}/index.ts`)
      ? [[`./${name}`, `./${name}/index.js`]]
      : []),
    [`./${name}/*`, `./${name}/*.js`],
  ]);
  const manifest = {
    name: "discovery-codegen-runtime",
    version,
    description:
      "Runtime of clients, servers and validators that discovery-codegen generates",
    license,
    type: "module",
    sideEffects: false,
    exports: {
      "./package.json": "./package.json",
      ...Object.fromEntries(exports),
    },
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(`${folder}/package.json`, text);
  copyFileSync("LICENSE", `${folder}/LICENSE`);
  copyFileSync("docs/runtime-package.md", `${folder}/README.md`);
}

rmSync(RECORD, { force: true });
const hash = hashInputs(root);
mkdirSync(built, { recursive: true });
try {
  const [checker] = await Promise.all([
    buildChecker(),
    compile("tsconfig.build.json", `${dist}/types`),
    buildRuntimePackage(),
  ]);
  buildTemplates();
  buildRuntimes();
  buildOverrides();
  const site = await buildSiteScript();
  const inputs = { ...checker, ...site, ...(await bundle()) };
  writeFileSync(`${dist}/THIRD-PARTY-NOTICES.txt`, notices({ inputs }, root));
  writeFileSync(`${work}/${RECORD}`, hash);
  if (existsSync("dist")) renameSync("dist", `${work}/old`);
  renameSync(dist, "dist");
} finally {
  rmSync(work, { recursive: true, force: true });
}

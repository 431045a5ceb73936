// Builds what the package ships and what the sources import as #built/*:
//   dist/built/check-document.js   the document checker, compiled by ajv
//   dist/built/templates.js        templates, compiled to functions
//   dist/built/handlebars-templates.js  the same for Handlebars
//   dist/built/runtime-*.js        sources of the runtimes, which are copied into output
//   dist/built/runtime.js          the fingerprint of all sources, the version
//   dist/built/overrides.js        the table of the overrides file's properties
//   dist/built/inputs.txt          hash of everything that was read (build-inputs.mjs)
//   dist/chunks/                   the command line, the public API and the plugins, bundled
//   dist/start.cjs, dist/worker.cjs  start of the command line and of its threads
//   dist/index.js, dist/plugins/   the public API and the plugins as ES modules
//   dist/runtime/                  the runtime for output that imports it from the package
//   dist/types/                    declarations
//   dist/THIRD-PARTY-NOTICES.txt   licences of bundled packages
// The new dist/ replaces the old one at the end, so a build that fails, or runs
// during tests, has no effect on them. With --built-only: only dist/built/.
import { createHash } from "node:crypto";
import {
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
import { compileTemplates } from "./compile-templates.mjs";
import { hashInputs, RECORD } from "./build-inputs.mjs";
import { notices } from "./notices.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const isPartial = process.argv[2] === "--built-only";
const work = path.join(root, `.tmp/build-${process.pid}`);
const dist = isPartial ? path.join(root, "dist") : path.join(work, "dist");
const built = path.join(dist, "built");
const { version } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
);

/** Oldest version of Node.js that runs the package. */
const TARGET = "node20.19";

/** Program of worker threads. */
const WORKER = "src/generate/worker.ts";

/** Texts of the runtimes that are copied into output, by module of #built/. */
const texts = new Map();

/** Inputs of all bundles, from esbuild's metafiles. */
const inputs = {};

function inRoot(name) {
  return path.join(root, name);
}

/** Returns the files below a folder, sorted, with forward slashes. */
function walk(folder, prefix = "") {
  return readdirSync(path.join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      return entry.isDirectory() ? walk(folder, name) : [name];
    });
}

async function buildChecker() {
  const schema = JSON.parse(
    readFileSync(path.join(root, "src/load/document.schema.json"), "utf8"),
  );
  const ajv = new Ajv({
    allErrors: true,
    code: { source: true, esm: true },
    allowUnionTypes: true,
    strictTypes: false,
  });
  const code = standalone(ajv, ajv.compile(schema));
  const bundle = await build({
    stdin: { contents: code, resolveDir: root, loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    minifySyntax: true,
    metafile: true,
    absWorkingDir: root,
  });
  Object.assign(inputs, bundle.metafile.inputs);
  writeFileSync(
    path.join(built, "check-document.js"),
    bundle.outputFiles[0].text,
  );
}

/**
 * Compiles templates twice: to functions, and for Handlebars, which renders them
 * if a user replaces one of them.
 */
function buildTemplates() {
  const folder = path.join(root, "templates");
  const sources = new Map(
    walk(folder)
      .filter((name) => name.endsWith(".hbs"))
      .map((name) => [
        name.slice(0, -4),
        readFileSync(path.join(folder, name), "utf8"),
      ]),
  );
  const entries = [...sources].map(([name, source]) => {
    const code = Handlebars.precompile(source, {
      knownHelpersOnly: true,
      preventIndent: true,
      srcName: undefined,
    });
    return `${JSON.stringify(name)}: ${code}`;
  });
  const modules = {
    "templates.js": compileTemplates(sources),
    "handlebars-templates.js": `export default {\n${entries.join(",\n")}\n};\n`,
  };
  for (const [name, text] of Object.entries(modules)) {
    const { code } = transformSync(text, { minify: true, format: "esm" });
    writeFileSync(path.join(built, name), code);
  }
}

async function buildRuntime() {
  const folder = path.join(root, "src/runtime");
  const runtime = {};
  for (const name of walk(folder).filter((file) => file.endsWith(".ts"))) {
    const [target, ...rest] = name.split("/");
    (runtime[target] ??= {})[rest.join("/")] = readFileSync(
      path.join(folder, name),
      "utf8",
    );
  }
  // A module for each runtime, so that a run loads only those that it copies.
  for (const [target, files] of Object.entries(runtime)) {
    texts.set(`runtime-${target}`, files);
  }
  for (const [name, value] of texts) writeModule(name, value);
  const text = `export const fingerprint = ${JSON.stringify(fingerprint())};\nexport const version = ${JSON.stringify(version)};\n`;
  writeFileSync(path.join(built, "runtime.js"), text);
}

function writeModule(name, value) {
  const text = `export default ${JSON.stringify(value)};\n`;
  writeFileSync(path.join(built, `${name}.js`), text);
}

/** Writes the table of overrides files, which is small enough to be loaded as code. */
function buildOverrides() {
  const table = JSON.parse(
    readFileSync(path.join(root, "generated/overrides/table.json"), "utf8"),
  );
  writeModule("overrides", table);
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
  ]) {
    for (const name of walk(path.join(root, folder))) {
      hash
        .update(`${folder}/${name}\0`)
        .update(readFileSync(path.join(root, folder, name)))
        .update("\0");
    }
  }
  return hash.digest("base64url");
}

/**
 * Resolves imports of #built/* to the new files instead of the files in dist/.
 * Modules that are imported on demand only contain texts; they are
 * written as JSON, which is parsed faster.
 */
const builtModules = {
  name: "built",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^#built\// }, ({ path: name, kind }) =>
      kind === "dynamic-import"
        ? { path: `./${path.basename(name, ".js")}.json`, external: true }
        : { path: path.join(built, name.slice("#built/".length)) },
    ),
};

const PLUGINS = ["esbuild", "rollup", "vite", "webpack"];

/** Files that users import, by the names of their ES modules in dist/. */
const PUBLIC = {
  index: "src/index.ts",
  ...Object.fromEntries(
    PLUGINS.map((name) => [`plugins/${name}`, `src/plugins/${name}.ts`]),
  ),
};

const chunkName = (name) => name.replace("/", "-");

/**
 * Loads node:child_process only when it is used: the library commander needs it
 * only for commands that are separate programs.
 */
const lazyChildProcess = {
  name: "lazy-child-process",
  setup: ({ onResolve, onLoad }) => {
    const namespace = "lazy";
    onResolve({ filter: /^node:child_process$/ }, ({ path: name, importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
        ? { path: name, namespace }
        : undefined,
    );
    onLoad({ filter: /./, namespace }, ({ path: name }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule(${JSON.stringify(name)})[key] });`,
      loader: "js",
    }));
  },
};

/**
 * Lets other entries, and modules that are imported on demand, import the command
 * line too. All modules of the command line are then used by the same entries, so
 * that esbuild puts them into one chunk instead of about thirty.
 */
const oneChunk = {
  name: "one-chunk",
  setup: ({ onLoad }) => {
    const main = inRoot("src/cli/main.ts");
    const others = new Set([
      inRoot(WORKER),
      ...Object.values(PUBLIC).map(inRoot),
      ...importedOnDemand(),
    ]);
    onLoad({ filter: /src[\\/].*\.ts$/ }, ({ path: file }) =>
      others.has(file)
        ? {
            contents: `${readFileSync(file, "utf8")}\nimport ${JSON.stringify(main)};\n`,
            loader: "ts",
          }
        : undefined,
    );
  },
};

/** Returns the source files that others import on demand. */
function importedOnDemand() {
  return walk(inRoot("src"))
    .filter((name) => name.endsWith(".ts") && !name.startsWith("runtime/"))
    .flatMap((name) => {
      const file = path.join(root, "src", name);
      const found = readFileSync(file, "utf8").matchAll(
        /\bimport\(\s*"(\.{1,2}\/[^"]+)\.js"/g,
      );
      return [...found].map(([, target]) =>
        path.resolve(path.dirname(file), `${target}.ts`),
      );
    });
}

/**
 * Bundles all entries as ES modules, which esbuild can split, and writes them as
 * CommonJS: it loads faster, and V8 can cache its code.
 */
async function bundle() {
  const { metafile, outputFiles } = await build({
    metafile: true,
    write: false,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries({ cli: "src/cli/main.ts", worker: WORKER, ...PUBLIC }).map(
        ([name, file]) => [chunkName(name), inRoot(file)],
      ),
    ),
    outdir: path.join(dist, "chunks"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: TARGET,
    chunkNames: "[name]-[hash]",
    minifySyntax: true,
    minifyWhitespace: true,
    external: ["prettier", "oxc-transform", "ts-morph", "classic-level", "pg"],
    plugins: [builtModules, lazyChildProcess, oneChunk],
  });
  Object.assign(inputs, metafile.inputs);
  const names = importedChunks(metafile);
  for (const file of outputFiles) writeChunk(file, names);
  for (const [name, value] of texts)
    writeFileSync(
      path.join(dist, `chunks/${name}.json`),
      JSON.stringify({ default: value }),
    );
  writePublic(metafile);
  await buildStart(mainChunk(metafile));
  const text = notices({ inputs }, root);
  writeFileSync(path.join(dist, "THIRD-PARTY-NOTICES.txt"), text);
  await buildPublicRuntime();
}

/**
 * Returns the names of the chunks that others import. They contain a hash, so no
 * other text of the program contains them.
 */
function importedChunks({ outputs }) {
  const names = Object.values(outputs)
    .flatMap((output) => output.imports)
    .filter(({ external }) => external !== true)
    .map((imported) => path.basename(imported.path, ".js"));
  const unclear = names.find((name) => !/-[0-9A-Z]{8}$/.test(name));
  if (unclear !== undefined)
    throw new Error(`a chunk imports the entry ${unclear}`);
  return [...new Set(names)];
}

/** Writes a chunk as CommonJS. Its imports of other chunks become calls of `require`. */
function writeChunk({ path: file, text }, names) {
  const relative = new RegExp(`"\\./(${names.join("|")})\\.js"`, "g");
  const source = text
    .replaceAll(relative, '"./$1.cjs"')
    .replaceAll(
      /\bimport\(("\.\/[\w-]+(?:-[0-9A-Z]{8}\.cjs|\.json)")\)/g,
      "Promise.resolve().then(()=>require($1))",
    );
  const { code } = transformSync(source, {
    format: "cjs",
    platform: "node",
    target: TARGET,
    minifySyntax: true,
    minifyWhitespace: true,
    define: { "import.meta.url": "moduleUrl" },
  });
  const url = /\bmoduleUrl\b/.test(code)
    ? 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;'
    : "";
  mkdirSync(path.dirname(file), { recursive: true });
  const name = file.replace(/\.js$/, ".cjs");
  writeFileSync(name, `"use strict";${url}${code}`);
}

/** Writes ES modules for users. They export the members of CommonJS chunks. */
function writePublic({ outputs }) {
  mkdirSync(path.join(dist, "plugins"), { recursive: true });
  for (const name of Object.keys(PUBLIC)) {
    const chunk = chunkName(name);
    const [, output] = Object.entries(outputs).find(([file]) =>
      file.endsWith(`/chunks/${chunk}.js`),
    );
    const named = output.exports.filter((member) => member !== "default");
    const up = name.includes("/") ? ".." : ".";
    const lines = [
      `import chunk from "${up}/chunks/${chunk}.cjs";`,
      ...(named.length > 0
        ? [`export const { ${named.join(", ")} } = chunk;`]
        : []),
      ...(output.exports.includes("default")
        ? ["export default chunk.default;"]
        : []),
    ];
    writeFileSync(path.join(dist, `${name}.js`), `${lines.join("\n")}\n`);
  }
}

/** Returns the name of the chunk that contains the command line. */
function mainChunk({ outputs }) {
  const [, cli] = Object.entries(outputs).find(([file]) =>
    file.endsWith("/chunks/cli.js"),
  );
  if (cli.imports.length !== 1)
    throw new Error("the command line is not one chunk");
  return path.basename(cli.imports[0].path, ".js");
}

/** Returns the first 64 bits of the SHA-256 of a file, in hexadecimal. */
function hashOf(file) {
  const bytes = readFileSync(file);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** Writes the files that load the chunk of the command line. */
async function buildStart(main) {
  const chunk = `${main}.cjs`;
  await build({
    entryPoints: { start: inRoot("src/cli/start/start.ts") },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: TARGET,
    minifySyntax: true,
    minifyWhitespace: true,
    define: {
      MAIN_CHUNK: JSON.stringify(chunk),
      MAIN_HASH: JSON.stringify(hashOf(path.join(dist, "chunks", chunk))),
    },
  });
  writeFileSync(
    path.join(dist, "worker.cjs"),
    'require("./start.cjs").startWorker();\n',
  );
}

/** Writes the runtime for output that imports it from the package. */
async function buildPublicRuntime() {
  const runtime = path.join(root, "src/runtime");
  await build({
    entryPoints: walk(runtime)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(runtime, name)),
    outbase: runtime,
    outdir: path.join(dist, "runtime"),
    format: "esm",
    target: "es2022",
  });
}

/** Starts the compiler, which needs no other output. */
async function declarations() {
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const config = path.join(root, "tsconfig.build.json");
  const outDir = path.join(dist, "types");
  const child = spawn(
    process.execPath,
    [tsc, "-p", config, "--outDir", outDir],
    { stdio: "inherit" },
  );
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`the compiler exited with ${status}`);
}

/**
 * Removes declaration files that the public types do not refer to. The compiler
 * writes declarations for all files that the entries import.
 */
function pruneDeclarations() {
  const types = path.join(dist, "types");
  const all = walk(types);
  const reached = new Set(
    all.filter((name) => /^(index\.d\.ts$|plugins\/|runtime\/)/.test(name)),
  );
  for (const name of reached) {
    const text = readFileSync(path.join(types, name), "utf8");
    for (const [, specifier] of text.matchAll(
      /(?:from |import |import\()"(\.[^"]+)"/g,
    )) {
      const target = path.posix.join(path.posix.dirname(name), specifier);
      reached.add(target.replace(/\.js$/, ".d.ts"));
    }
  }
  for (const name of all)
    if (!reached.has(name)) rmSync(path.join(types, name));
}

function exchange() {
  const target = path.join(root, "dist");
  if (existsSync(target)) renameSync(target, path.join(work, "old"));
  renameSync(dist, target);
}

const record = path.join(built, path.basename(RECORD));
rmSync(record, { force: true });
const hash = hashInputs(root);
mkdirSync(built, { recursive: true });
const declared = isPartial ? undefined : declarations();
/** Settled when the compiler has ended; its failure counts where it is awaited. */
const ended = declared?.catch(() => {});
try {
  await buildChecker();
  buildTemplates();
  await buildRuntime();
  buildOverrides();
  if (!isPartial) {
    await bundle();
    await declared;
    pruneDeclarations();
    writeFileSync(record, hash);
    exchange();
  }
} finally {
  await ended;
  rmSync(work, { recursive: true, force: true });
}

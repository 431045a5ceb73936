// Measures the cost of output for its users: type checking a program with one
// call, and the bundle of one call. Usage: node bench/consumer.mjs [rounds]
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { compare, ROOT, run, SHARED, table } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 7);
if (!existsSync(path.join(SHARED, "corpus"))) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
// Inside the project, so that the compiler finds only the given files.
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/consumer-"));

const programs = {
  empty: "export {};\n",
  "drive, createDrive": `import { createDrive } from "./out/drive/v3/index.js";
const drive = createDrive({ auth: "token" });
const file = await drive.files.get({ fileId: "1" });
console.log(file.name);
`,
  "drive, createDrive, fields": `import { createDrive } from "./out/drive/v3/index.js";
const drive = createDrive({ auth: "token" });
const file = await drive.files.get({ fileId: "1", fields: "id,name,owners(displayName,emailAddress),capabilities/canEdit" });
console.log(file.name);
`,
  "drive, flat function": `import { createBareClient } from "./out/drive/v3/service.js";
import { get } from "./out/drive/v3/resources/files.js";
const file = await get(createBareClient({ auth: "token" }), { fileId: "1" });
console.log(file.name);
`,
  "drive, flat function, retries": `import { withRetries } from "./out/runtime/client/with-retries.js";
import { createBareClient } from "./out/drive/v3/service.js";
import { get } from "./out/drive/v3/resources/files.js";
const file = await get(withRetries(createBareClient({ auth: "token" })), { fileId: "1" });
console.log(file.name);
`,
  "drive, flat function, full client": `import { createClient } from "./out/drive/v3/service.js";
import { get } from "./out/drive/v3/resources/files.js";
const file = await get(createClient({ auth: "token" }), { fileId: "1" });
console.log(file.name);
`,
  "compute, createCompute": `import { createCompute } from "./out/compute/v1/index.js";
const compute = createCompute({ auth: "token" });
const instance = await compute.instances.get({ project: "p", zone: "z", instance: "i" });
console.log(instance.name);
`,
  "compute, createCompute, fields": `import { createCompute } from "./out/compute/v1/index.js";
const compute = createCompute({ auth: "token" });
const instance = await compute.instances.get({ project: "p", zone: "z", instance: "i", fields: "id,name,disks(deviceName,licenses),networkInterfaces/accessConfigs/natIP" });
console.log(instance.name);
`,
  "compute, flat function": `import { createClient } from "./out/compute/v1/service.js";
import { get } from "./out/compute/v1/resources/instances.js";
const instance = await get(createClient({ auth: "token" }), { project: "p", zone: "z", instance: "i" });
console.log(instance.name);
`,
};

function write() {
  const specs = ["drive.v3", "compute.v1"].flatMap((name) => [
    "--spec",
    path.join(SHARED, "corpus", `${name}.json`),
  ]);
  run([
    path.join(ROOT, "bin/gen.js"),
    "--quiet",
    "--out",
    path.join(work, "out"),
    ...specs,
  ]);
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  for (const [name, text] of Object.entries(programs)) {
    const file = fileOf(name);
    writeFileSync(file, text);
    for (const skipLibCheck of [false, true]) {
      const compilerOptions = {
        target: "ES2022",
        lib: ["ES2022", "DOM"],
        module: "NodeNext",
        strict: true,
        noEmit: true,
        skipLibCheck,
        types: [],
      };
      writeFileSync(
        configOf(name, skipLibCheck),
        JSON.stringify({ compilerOptions, files: [file] }),
      );
    }
  }
}

function configOf(name, skipLibCheck) {
  return `${fileOf(name)}${skipLibCheck ? ".skip" : ""}.json`;
}

function fileOf(name) {
  return path.join(work, `${name.replace(/\W+/g, "-")}.ts`);
}

function typeChecking(title, compiler, skipLibCheck) {
  const rows = Object.keys(programs).map((name) => ({
    name,
    args: () => [
      path.join(ROOT, "node_modules", compiler, "bin/tsc"),
      "-p",
      configOf(name, skipLibCheck),
    ],
  }));
  console.log(table(title, compare(rows, rounds)));
}

/** Bundles a program; returns its files and esbuild's description of them. */
async function bundle(name, splitting) {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileOf(name)],
    bundle: true,
    minify: true,
    splitting,
    metafile: true,
    format: "esm",
    outdir: path.join(work, "bundle"),
    write: false,
  });
  const files = new Map(
    outputFiles.map((file) => [
      path.relative(process.cwd(), file.path),
      file.contents,
    ]),
  );
  return { files, outputs: metafile.outputs };
}

/** Returns the files that a program loads before its first call. */
function initialFiles({ files, outputs }, name) {
  const entry = path.relative(process.cwd(), fileOf(name));
  const names = new Set(
    Object.keys(outputs).filter((file) => outputs[file].entryPoint === entry),
  );
  for (const file of names)
    for (const { path: target, kind } of outputs[file].imports)
      if (kind === "import-statement") names.add(target);
  return [...names].map((file) => files.get(file));
}

/** Bytes of files in kB, each compressed separately. */
function gzipped(files) {
  const sizes = files.map((text) => gzipSync(text, { level: 9 }).length);
  return (sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(3);
}

async function bundles() {
  const limits = {
    "drive, flat function": 2.9,
    "drive, createDrive": 13,
    "compute, createCompute": 18,
  };
  console.log(
    "\n### Bundle of one call (esbuild, minified)\n\n| program | raw kB | gzip kB | gzip kB of the files loaded before the call, with `splitting` | limit |\n|---|---|---|---|---|",
  );
  // Selectors are types and do not change bundles.
  const names = Object.keys(programs).filter((name) => !/fields/.test(name));
  for (const name of names.slice(1)) {
    const [whole] = (await bundle(name, false)).files.values();
    const initial = initialFiles(await bundle(name, true), name);
    console.log(
      `| ${name} | ${(whole.length / 1000).toFixed(1)} | ${gzipped([whole])} | ${gzipped(initial)} | ${limits[name] ?? ""} |`,
    );
  }
}

try {
  write();
  await bundles();
  typeChecking("Type check of one call, TypeScript 6", "ts6", false);
  typeChecking(
    "Type check of one call, TypeScript 6, skipLibCheck",
    "ts6",
    true,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

// Measures the same drive.v3 call with the client that Google publishes: size on
// disk, bundle, type check. Installs that client into a temporary folder.
// Usage: node bench/peers.mjs [rounds]
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { compare, ROOT, run, SHARED, table } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 5);
const corpus = path.join(SHARED, "corpus");
if (!existsSync(corpus)) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/peers-"));
const at = (name) => path.join(work, name);
const drive = path.join(corpus, "drive.v3.json");

const calls = {
  ours: `import { createClient } from "./out/drive/v3/service.js";
import { get } from "./out/drive/v3/resources/files.js";
const file = await get(createClient({ auth: "token" }), { fileId: "1" });
console.log(file.name);
`,
  "@googleapis/drive": `import { drive } from "@googleapis/drive";
const { data } = await drive({ version: "v3", auth: "key" }).files.get({ fileId: "1" });
console.log(data.name);
`,
};

function install() {
  writeFileSync(at("package.json"), '{ "type": "module", "private": true }');
  const peers = ["@googleapis/drive@22", "@types/node@20"];
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--silent", ...peers],
    { cwd: work, stdio: "inherit" },
  );
  run([
    path.join(ROOT, "bin/gen.js"),
    "--quiet",
    "--spec",
    drive,
    "--out",
    at("out"),
  ]);
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (total, entry) =>
        total + statSync(path.join(entry.parentPath, entry.name)).size,
      0,
    );
}

async function bundles() {
  console.log(
    "\n### One drive.files.get: bundle for Node (esbuild, minified)\n\n| client | raw kB | gzip kB |\n|---|---|---|",
  );
  for (const [name, text] of Object.entries(calls)) {
    writeFileSync(at("call.ts"), text);
    const { outputFiles } = await build({
      entryPoints: [at("call.ts")],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      write: false,
    });
    const [{ contents }] = outputFiles;
    console.log(
      `| ${name} | ${(contents.length / 1000).toFixed(1)} | ${(gzipSync(contents, { level: 9 }).length / 1000).toFixed(1)} |`,
    );
  }
}

function typeChecking() {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  };
  const rows = Object.entries({ empty: "export {};\n", ...calls }).map(
    ([name, text]) => {
      const file = at(`${name.replace(/\W/g, "")}-check.ts`);
      writeFileSync(file, text);
      writeFileSync(
        `${file}.json`,
        JSON.stringify({ compilerOptions, files: [file] }),
      );
      return {
        name,
        args: () => [
          path.join(ROOT, "node_modules/ts6/bin/tsc"),
          "-p",
          `${file}.json`,
        ],
      };
    },
  );
  console.log(
    table(
      "One drive.files.get: type check, TypeScript 6",
      compare(rows, rounds),
    ),
  );
}

try {
  install();
  const own = bytesOf(at("out"));
  const theirs = bytesOf(at("node_modules/@googleapis/drive"));
  console.log(
    `\nOn disk: our drive.v3 client with its runtime ${(own / 1e6).toFixed(2)} MB; @googleapis/drive ${(theirs / 1e6).toFixed(2)} MB without its dependencies`,
  );
  await bundles();
  typeChecking();
} finally {
  rmSync(work, { recursive: true, force: true });
}

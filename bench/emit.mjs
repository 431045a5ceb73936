// Measures type checks of a program with one call, against an empty program, for
// the TypeScript and the JavaScript output, with TypeScript 6 and 7. Libraries are
// not checked (`skipLibCheck`), as in most projects. TypeScript 7 is a native
// process, so times and memory are those that GNU time reports for children.
// Usage: node bench/emit.mjs [rounds]
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { median, ROOT, run, SHARED } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 9);
if (!existsSync(path.join(SHARED, "corpus"))) {
  console.log("bench skipped: the shared documents are missing");
  process.exit(0);
}
if (!existsSync("/usr/bin/time")) {
  console.log("bench skipped: GNU time is missing (/usr/bin/time)");
  process.exit(0);
}
// Inside the project, so that the compiler finds only the given files.
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/emit-"));

const drive = (
  emit,
) => `import { createDrive } from "./${emit}/drive/v3/index.js";
const drive = createDrive({ auth: "token" });
const file = await drive.files.get({ fileId: "1" });
console.log(file.name);
`;
const compute = (
  emit,
) => `import { createCompute } from "./${emit}/compute/v1/index.js";
const compute = createCompute({ auth: "token" });
const instance = await compute.instances.get({ project: "p", zone: "z", instance: "i" });
console.log(instance.name);
`;

/** Programs with the limit of their ratio to the first one. */
const PROGRAMS = [
  { name: "empty", text: "export {};\n" },
  { name: "drive, TypeScript", text: drive("ts"), limit: 1.5 },
  { name: "drive, --emit js", text: drive("js"), limit: 1.1 },
  { name: "compute, TypeScript", text: compute("ts"), limit: 2 },
  { name: "compute, --emit js", text: compute("js"), limit: 1.25 },
];

const COMPILERS = { 6: "ts6", 7: "typescript" };

function prepare() {
  const specs = ["drive.v3", "compute.v1"].flatMap((name) => [
    "--spec",
    path.join(SHARED, "corpus", `${name}.json`),
  ]);
  for (const emit of ["ts", "js"]) {
    const out = path.join(work, emit);
    const options = ["--quiet", "--emit", emit, "--out", out];
    run([path.join(ROOT, "bin/gen.js"), ...options, ...specs]);
  }
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  for (const [index, { text }] of PROGRAMS.entries()) {
    const files = [`${index}.ts`];
    writeFileSync(path.join(work, files[0]), text);
    const config = JSON.stringify({ compilerOptions, files });
    writeFileSync(path.join(work, `${index}.json`), config);
  }
}

/** Checks a program; returns seconds of wall and user time, and peak MiB. */
function check(compiler, index) {
  const tsc = path.join(ROOT, "node_modules", compiler, "bin/tsc");
  const config = path.join(work, `${index}.json`);
  const child = spawnSync(
    "/usr/bin/time",
    ["-f", "%e %U %M", process.execPath, tsc, "-p", config],
    { encoding: "utf8" },
  );
  if (child.status !== 0) throw new Error(child.stdout + child.stderr);
  const [wall, user, peak] = child.stderr.trim().split(" ").map(Number);
  return { wall, user, peak: peak / 1024 };
}

/** Runs rounds of all programs, which start with another one in each round. */
function measure(compiler) {
  const results = PROGRAMS.map((_, index) => [check(compiler, index)]);
  for (const list of results) list.length = 0; // the warm-up
  for (let round = 0; round < rounds; round++)
    for (let step = 0; step < PROGRAMS.length; step++) {
      const index = (round + step) % PROGRAMS.length;
      results[index].push(check(compiler, index));
    }
  return results;
}

function print(version, results) {
  console.log(
    `\n### Type check of one call, TypeScript ${version}, skipLibCheck\n\n` +
      "| program | wall s | user s | least user s | peak MiB | wall ratio | user ratio | ratio of least | limit |\n" +
      "|---|---|---|---|---|---|---|---|---|",
  );
  const least = (list) => Math.min(...list.map(({ user }) => user));
  for (const [index, { name, limit = "" }] of PROGRAMS.entries()) {
    const list = results[index];
    const ratio = (key) =>
      median(list.map((one, round) => one[key] / results[0][round][key]));
    const cells = [
      name,
      median(list.map(({ wall }) => wall)).toFixed(2),
      median(list.map(({ user }) => user)).toFixed(2),
      least(list).toFixed(2),
      median(list.map(({ peak }) => peak)).toFixed(0),
      ratio("wall").toFixed(2),
      ratio("user").toFixed(2),
      (least(list) / least(results[0])).toFixed(2),
      limit,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

try {
  prepare();
  for (const [version, compiler] of Object.entries(COMPILERS))
    print(version, measure(compiler));
} finally {
  rmSync(work, { recursive: true, force: true });
}

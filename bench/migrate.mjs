// Measures `gen migrate googleapis`: a codebase of 20,000 lines, which consists of
// copies of the programs of test/conformance/googleapis, must take less than 20 s.
// Usage: node bench/migrate.mjs [rounds]
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, ROOT } from "./support.mjs";

const LINES = 20_000;
const LIMIT = 20;
const rounds = Number(process.argv[2] ?? 3);
const programs = path.join(ROOT, "test/conformance/googleapis/programs");
const work = mkdtempSync(path.join(tmpdir(), "gen-migrate-"));

/** Writes copies of the programs; returns the number of lines and files. */
function writeCodebase() {
  const sources = readdirSync(programs).map((name) => [
    name,
    readFileSync(path.join(programs, name), "utf8"),
  ]);
  let lines = 0;
  let files = 0;
  for (let copy = 0; lines < LINES; copy++) {
    const folder = path.join(work, `src/module-${copy}`);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of sources) {
      if (lines >= LINES) break;
      writeFileSync(path.join(folder, name), text);
      lines += text.split("\n").length - 1;
      files++;
    }
  }
  return { lines, files };
}

try {
  const { lines, files } = writeCodebase();
  writeFileSync(
    path.join(work, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { strict: true, module: "NodeNext" } }),
  );
  const seconds = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(ROOT, "bin/gen.js"), "migrate", "googleapis", "src/**"],
      { cwd: work, encoding: "utf8", maxBuffer: 1 << 28 },
    );
    seconds.push((performance.now() - start) / 1000);
    if (!stdout.includes("+const drive = createDrive("))
      throw new Error(`nothing was migrated\n${stderr}`);
  }
  const time = median(seconds);
  console.log(
    `${lines.toLocaleString("en")} lines in ${files} files: ${time.toFixed(1)} s (limit ${LIMIT} s)`,
  );
  if (time > LIMIT) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

// Times complete processes in alternation (A B C A B C ...): a ratio is the median
// of the ratios of its rounds, so that a machine that slows down affects all.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "..",
);
export const SHARED = path.resolve(ROOT, "../shared");

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]
    : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Environment of measured programs: each run starts without compiled code of others. */
const ENVIRONMENT = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };

/** Runs a node program; returns seconds of wall and processor time, and peak MiB. */
export function run(args) {
  const start = process.hrtime.bigint();
  const child = spawnSync(process.execPath, ["--require", USAGE, ...args], {
    encoding: "utf8",
    env: ENVIRONMENT,
    maxBuffer: 1 << 28,
  });
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  if (child.status !== 0)
    throw new Error(
      `${args.join(" ").slice(0, 200)}: exit ${child.status}\n${child.stdout}${child.stderr}`,
    );
  const usage = JSON.parse(/USAGE(\{.*?\})/.exec(child.stderr)[1]);
  return { wall, cpu: usage.cpu, peak: usage.peak };
}

const USAGE = path.join(ROOT, "bench/usage.cjs");

/**
 * Runs rounds of all programs; returns rows with medians and ratios to the first.
 * Arguments are a function of the round: each round writes to a separate folder,
 * since creating files is several times slower right after deleting many.
 */
export function compare(programs, rounds) {
  const results = programs.map(() => []);
  for (const program of programs) run(program.args("warm"));
  for (let round = 0; round < rounds; round++) {
    programs.forEach((program, index) =>
      results[index].push(run(program.args(round))),
    );
  }
  return programs.map(({ name, limit }, index) => {
    const own = results[index];
    const ratio = (key) =>
      median(own.map((result, round) => result[key] / results[0][round][key]));
    return {
      name,
      limit,
      wall: median(own.map(({ wall }) => wall)),
      cpu: median(own.map(({ cpu }) => cpu)),
      peak: Math.max(...own.map(({ peak }) => peak)),
      wallRatio: ratio("wall"),
      cpuRatio: ratio("cpu"),
    };
  });
}

/** Returns a table in Markdown. */
export function table(title, rows) {
  const lines = [
    `\n### ${title}\n`,
    "| program | wall s | cpu s | peak MiB | wall ratio | cpu ratio | limit |",
    "|---|---|---|---|---|---|---|",
  ];
  for (const row of rows) {
    const cells = [
      row.name,
      row.wall.toFixed(3),
      row.cpu.toFixed(3),
      row.peak.toFixed(0),
      row.wallRatio.toFixed(2),
      row.cpuRatio.toFixed(2),
      row.limit ?? "",
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return lines.join("\n");
}

// Measures the services (bench/services-*.mjs) against their goals.
// Usage: node bench/families/services.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { BENCH } from "../install.mjs";
import { save } from "../results.mjs";

/** Services, with their arguments: pairs of requests, items. */
const SERVICES = [["directory"], ["chat", "500"], ["marketplace", "10000"]];

const work = mkdtempSync(path.join(tmpdir(), "bench-services-"));
const file = path.join(work, "figures");

/** Returns a row; its bar is the share of the limit, or of the limit's inverse. */
function rowOf({ name, value, limit, isMinimum }) {
  const share = isMinimum ? limit / value.median : value.median / limit;
  const large = value.median >= 100 || Number.isInteger(value.median);
  return {
    name,
    kind: "ours",
    digits: large ? 0 : 2,
    limit: limit === undefined ? undefined : (isMinimum ? "≥ " : "≤ ") + limit,
    values: { value, ...(limit > 0 && { share: { median: share } }) },
  };
}

try {
  for (const [name, ...args] of SERVICES) {
    writeFileSync(file, "", { flag: "a" });
    const program = path.join(BENCH, `services-${name}.mjs`);
    const env = { ...process.env, BENCH_FIGURES: file };
    const command = [program, ...args];
    execFileSync(process.execPath, command, { env, stdio: "inherit" });
  }
  const lines = readFileSync(file, "utf8").trim().split("\n");
  await save({
    family: "services",
    title: "Services: share of the limit",
    tables: [
      {
        title: "Figures and limits",
        label: "figure",
        chart: "share",
        line: 1,
        columns: [
          { key: "value", title: "value" },
          { key: "share", title: "share of the limit", digits: 2 },
        ],
        rows: lines.map((line) => rowOf(JSON.parse(line))),
      },
    ],
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}

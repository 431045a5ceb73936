// Results of a family of benches: written to results/<family>.json, and from it to
// charts/<family>.svg and the block of the family in README.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import prettier from "prettier";
import { svgOf } from "./chart.mjs";
import { blockOf, withBlock } from "./markdown.mjs";
import { median, ROOT } from "./support.mjs";

const at = (name) => path.join(ROOT, "bench", name);

/** Returns median, lowest and highest value of the rounds. */
export function spreadOf(values) {
  return {
    median: median(values),
    low: Math.min(...values),
    high: Math.max(...values),
  };
}

/** Returns a spread of the ratios of each round to the same round of a baseline. */
export function ratioOf(values, baseline) {
  return spreadOf(values.map((value, round) => value / baseline[round]));
}

/** Describes the machine, without names of hosts and users. */
export function machine() {
  const [processor] = os.cpus();
  return {
    cpu: processor?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.versions.node,
    os: `${distribution()}${os.type()} ${os.release().split("-")[0]}, ${os.arch()}`,
  };
}

function distribution() {
  const file = "/etc/os-release";
  if (!existsSync(file)) return "";
  const found = /^PRETTY_NAME="?([^"(\n]*\w)/m.exec(readFileSync(file, "utf8"));
  return found === null ? "" : `${found[1]}, `;
}

/** Digits of numbers in the files; more would be noise. */
function rounded(key, value) {
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
}

/** Writes a result with its chart and its block in README.md, and prints it. */
export async function save({ family, title, tables }) {
  const isPreliminary = process.env.BENCH_PRELIMINARY === "1";
  const raw = { family, title, isPreliminary, machine: machine(), tables };
  const text = JSON.stringify(raw, rounded);
  mkdirSync(at("results"), { recursive: true });
  const pretty = await prettier.format(text, { parser: "json" });
  writeFileSync(at(`results/${family}.json`), pretty);
  console.log(publish(JSON.parse(pretty)));
}

/** Writes chart and block of a result; returns the block. */
export function publish(result) {
  const block = blockOf(result);
  mkdirSync(at("charts"), { recursive: true });
  writeFileSync(at(`charts/${result.family}.svg`), svgOf(result));
  const readme = readFileSync(at("README.md"), "utf8");
  writeFileSync(at("README.md"), withBlock(readme, result.family, block));
  return block;
}

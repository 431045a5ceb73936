import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { svgOf } from "../../bench/chart.mjs";
import { blockIn, blockOf } from "../../bench/markdown.mjs";
import { ROOT } from "../support/paths.js";

const at = (name: string) => path.join(ROOT, "bench", name);
const read = (name: string) => readFileSync(at(name), "utf8");
const json = (name: string) => JSON.parse(read(name)) as Result;

interface Result {
  readonly family: string;
  readonly title: string;
  readonly machine: object;
  readonly tables: readonly object[];
}

const families = readdirSync(at("results")).map((name) => name.slice(0, -5));

test("every family of the README has a result and a chart", () => {
  const marks = read("README.md").matchAll(/^<!-- bench:(\w+) -->$/gm);
  const named = [...marks].map(([, name]) => name!).sort();
  expect(named).toEqual(families);
  const charts = readdirSync(at("charts")).map((name) => name.slice(0, -4));
  expect(charts).toEqual(families);
});

test.each(families)("%s: chart and tables show its result", (family) => {
  const result = json(`results/${family}.json`);
  expect(result.family).toBe(family);
  expect(read(`charts/${family}.svg`)).toBe(svgOf(result));
  expect(blockIn(read("README.md"), family)).toBe(blockOf(result));
});

const example = {
  family: "example",
  title: "A <title> & more",
  machine: { cpu: "CPU", cores: 2, memoryGiB: 4, node: "20.0.0", os: "Linux" },
  tables: [
    {
      title: "First",
      label: "client",
      chart: "ratio",
      columns: [{ key: "ratio", title: "ratio", digits: 1 }],
      rows: [
        { name: "floor", kind: "floor", values: { ratio: { median: 1 } } },
        {
          name: "ours",
          kind: "ours",
          limit: 2,
          values: { ratio: { median: 1.52, low: 1.25, high: 2 } },
        },
        { name: "<other>", values: { ratio: { median: 4 } } },
      ],
    },
  ],
};

test("a chart has ours highlighted, the range of its rounds and the floor line", () => {
  const svg = svgOf(example);
  // 4 is the longest bar, of 400 pixels from 270.
  expect(svg).toMatch(/width="152.0" .* class="bar ours"/);
  expect(svg).toContain('x1="395.0" x2="470.0"');
  expect(svg).toMatch(/x1="370.0" x2="370.0" .* class="floor"/);
  expect(svg).toContain("prefers-color-scheme: dark");
  expect(svg).toContain('<title id="title">A &lt;title&gt; &amp; more</title>');
  expect(svg).toMatch(
    /<desc .*First, ratio: floor 1.0, ours 1.5, &lt;other&gt; 4.0/,
  );
});

test("a table has medians with their spread, and limits", () => {
  const text = blockOf({ ...example, isPreliminary: true });
  expect(text).toContain("| **ours** | 1.5 (1.3–2.0) | 2     |");
  expect(text).toContain("| <other>  | 4.0           |       |");
  expect(text).toMatch(/^Preliminary, .*: CPU, 2 cores, 4 GiB, Node 20/m);
});

test("bench/package.json pins exact versions, and the tools of this package", () => {
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).length).toBeGreaterThan(15);
  for (const version of Object.values(dependencies))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  // Files of bench/ import the tools from there.
  for (const tool of ["ajv", "esbuild", "prettier"]) {
    const file = path.join(ROOT, "node_modules", tool, "package.json");
    const { version } = JSON.parse(readFileSync(file, "utf8")) as {
      version: string;
    };
    expect(dependencies[tool]).toBe(version);
  }
});

test("results name no path, host or user", () => {
  for (const family of families)
    expect(read(`results/${family}.json`)).not.toMatch(
      /\/(?:home|work|root|tmp)\b|hostname/,
    );
});

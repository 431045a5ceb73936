// Writes the option table of the README from the option table of the command
// line. With --check: exit 1 if the README is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { format } from "prettier";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { code } = transformSync(
  readFileSync(path.join(root, "src/generate/options.ts"), "utf8"),
  { loader: "ts", format: "esm" },
);
const { options, flagOf, variableOf } = await import(
  `data:text/javascript,${encodeURIComponent(code)}`
);

const escape = (text) => text.replace(/\|/g, "\\|");
const rows = options.map((row) => {
  const value = row.kind === "switch" ? "" : ` <${row.value ?? "value"}>`;
  const choices =
    row.choices === undefined ? "" : ` (${row.choices.join(", ")})`;
  const preset =
    row.default === undefined ? "" : ` Default: \`${row.default}\`.`;
  return `| \`${flagOf(row.name)}${value}\` | \`${variableOf(row.name)}\` | ${escape(row.description)}${choices}.${preset} |`;
});
const table = [
  "| option | environment | meaning |",
  "| --- | --- | --- |",
  ...rows,
].join("\n");

const file = path.join(root, "README.md");
const before = readFileSync(file, "utf8");
const filled = before.replace(
  /(<!-- options -->)[\s\S]*?(<!-- \/options -->)/,
  (_, start, end) => `${start}\n\n${table}\n\n${end}`,
);
const after = await format(filled, { parser: "markdown" });
if (process.argv[2] === "--check") {
  if (after !== before) {
    console.error("README.md: run `npm run readme`");
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, after);
}

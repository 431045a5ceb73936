// Writes the parts of the documentation that come from source code: the options
// of docs/cli.md, the views of docs/templates.md, the rules of
// docs/diff.md, the output of commands in
// docs/overrides.md, the keys of docs/config.md, docs/diagnostics.md,
// docs/validate-rules.md, and the JSON Schemas of config and patch files. Needs
// `npm run build`. With --check:
// exit 1 if a page is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { format } from "prettier";
import { runConsoleExamples } from "./console-examples.mjs";
import { diagnosticsPage } from "./diagnostics-page.mjs";
import { diffRulesTable } from "./diff-rules-table.mjs";
import { templatesTable } from "./templates-table.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const { outputFiles } = await build({
  stdin: {
    contents: [
      'export { options, flagOf, variableOf } from "./src/generate/options.js";',
      'export { catalogue } from "./src/diagnostics/catalogue.js";',
      'export { rulesPage } from "./src/validate/rules-page.js";',
      'export { configKeys } from "./src/config/config-keys.js";',
      'export { configSchema } from "./src/config/json-schema.js";',
      'export { patchSchema } from "./src/patch/patch-schema.js";',
      'export { rules } from "./src/diff/rules/index.js";',
    ].join("\n"),
    resolveDir: root,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const {
  options,
  flagOf,
  variableOf,
  catalogue,
  rulesPage,
  configKeys,
  configSchema,
  patchSchema,
  rules,
} = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);

function optionTable() {
  const escape = (text) => text.replace(/\|/g, "\\|");
  const rows = options.map((row) => {
    const value = row.kind === "switch" ? "" : ` <${row.value ?? "value"}>`;
    const choices =
      row.choices === undefined ? "" : ` (${row.choices.join(", ")})`;
    const preset =
      row.default === undefined ? "" : ` Default: \`${row.default}\`.`;
    return `| \`${flagOf(row.name)}${value}\` | \`${variableOf(row.name)}\` | ${escape(row.description)}${choices}.${preset} |`;
  });
  return [
    "| option | environment | meaning |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Forms of values in a config file by the kind of the option. */
const VALUES = {
  switch: "true or false",
  text: "text",
  list: "text or list",
  choice: "one of",
  choices: "list of",
};
const LEVELS = { file: "top level", job: "job", api: "API" };

function keyTable() {
  const rows = configKeys.map((row) => {
    const choices =
      row.choices === undefined ? "" : ` ${row.choices.join(", ")}`;
    const preset = row.default === undefined ? "" : `\`${row.default}\``;
    const levels = row.config.map((level) => LEVELS[level]).join(", ");
    return `| \`${row.name}\` | ${levels} | ${VALUES[row.kind]}${choices} | ${preset} | ${row.description.replace(/\|/g, "\\|").replace(/</g, "\\<")} |`;
  });
  return [
    "| key | level | value | default | meaning |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const read = (name) => {
  try {
    return readFileSync(path.join(root, name), "utf8");
  } catch {
    return "";
  }
};
const fill = (page, section, text) =>
  read(page).replace(
    new RegExp(`(<!-- ${section} -->)[^]*?(<!-- /${section} -->)`),
    (_, start, end) => `${start}\n\n${text}\n\n${end}`,
  );
const pages = {
  "docs/cli.md": fill("docs/cli.md", "options", optionTable()),
  "docs/templates.md": fill(
    "docs/templates.md",
    "templates",
    templatesTable(root),
  ),
  "docs/diff.md": fill("docs/diff.md", "rules", diffRulesTable(rules)),
  "docs/overrides.md": runConsoleExamples(read("docs/overrides.md"), {
    root,
    files: path.join(root, "test/support/docs"),
  }),
  "docs/config.md": fill("docs/config.md", "keys", keyTable()),
  "docs/diagnostics.md": diagnosticsPage(catalogue),
  "docs/validate-rules.md": rulesPage(),
  "generated/schemas/gen.config.schema.json": JSON.stringify(configSchema()),
  "generated/schemas/patch.schema.json": JSON.stringify(patchSchema()),
};

const isCheck = process.argv[2] === "--check";
for (const [name, text] of Object.entries(pages)) {
  const parser = name.endsWith(".json") ? "json" : "markdown";
  const formatted = await format(text, { parser });
  if (!isCheck) {
    writeFileSync(path.join(root, name), formatted);
  } else if (formatted !== read(name)) {
    console.error(`${name}: run \`npm run readme\``);
    process.exitCode = 1;
  }
}

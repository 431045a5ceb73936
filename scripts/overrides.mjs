// Writes generated/overrides/overrides.schema.json, the JSON Schema for editors,
// from specs/overrides.v1.3.json, and docs/overrides-rules.md from the rule
// catalogue. With --check, writes nothing and exits with 1 if a file is out of
// date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { format } from "prettier";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const { outputFiles } = await build({
  stdin: {
    contents: [
      'export { editorSchema } from "./src/overrides/schema/editor-schema.js";',
      'export { rulesPage } from "./src/overrides/rules/rules-page.js";',
    ].join("\n"),
    resolveDir: root,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const { editorSchema, rulesPage } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);

const description = JSON.parse(
  readFileSync(path.join(root, "specs/overrides.v1.3.json"), "utf8"),
);
const json = (value) => format(JSON.stringify(value), { parser: "json" });
const files = {
  "generated/overrides/overrides.schema.json": await json(
    editorSchema(description),
  ),
  "docs/overrides-rules.md": await format(rulesPage(), { parser: "markdown" }),
};

const isCheck = process.argv[2] === "--check";
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  if (!isCheck) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (readOrEmpty(file) !== text) {
    console.error(`${name}: run \`npm run overrides\``);
    process.exitCode = 1;
  }
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

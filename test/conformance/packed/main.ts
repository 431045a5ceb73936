// Compiled and run in projects that install the packed package.
import { readFileSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import {
  runConfig,
  validate,
  type Diagnostic,
  type ValidationResult,
} from "discovery-codegen";
import esbuildPlugin from "discovery-codegen/esbuild";

const { documents, diagnostics }: ValidationResult = await validate({
  spec: "specs",
  rules: { "method-undescribed": "off" },
});
const { changed } = await runConfig();
const plugin: Plugin = esbuildPlugin();
const { errors } = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  format: "esm",
  outfile: "dist/main.js",
  plugins: [plugin],
});
const codes = diagnostics.map(({ code }: Diagnostic) => code);
const bundle = readFileSync("dist/main.js", "utf8");
console.log(
  JSON.stringify({
    documents,
    codes,
    changed,
    errors: errors.length,
    isBundled: bundle.includes("demo.example.com"),
  }),
);

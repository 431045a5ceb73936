// Checks exported documents with Redocly and with the official JSON Schema of
// OpenAPI 3.1: node lint.mjs <exports> <result.json> <name/version>...
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import Ajv2020 from "ajv/dist/2020.js";

const [exports, result, ...apis] = process.argv.slice(2);
// The validator of this package takes properties called $ref for references,
// so only its copy of the official schema is used.
const schema = new URL(
  "node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json",
  import.meta.url,
);
const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
const isValid = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));
const config = await createConfig({ extends: ["recommended"] });
const warnings = {};
const errors = [];
let operations = 0;

for (const api of apis) {
  const file = path.join(exports, api, "openapi.json");
  for (const { severity, ruleId, message, location } of await lint({
    ref: file,
    config,
  }))
    if (severity === "warn") warnings[ruleId] = (warnings[ruleId] ?? 0) + 1;
    else errors.push(`${api} ${ruleId} ${location[0]?.pointer}: ${message}`);
  const document = JSON.parse(readFileSync(file, "utf8"));
  operations += Object.values(document.paths)
    .flatMap(Object.values)
    .filter(({ operationId }) => operationId !== undefined).length;
  if (!isValid(document))
    errors.push(`${api} schema: ${JSON.stringify(isValid.errors)}`);
}
const summary = { documents: apis.length, operations, errors, warnings };
writeFileSync(result, JSON.stringify(summary));

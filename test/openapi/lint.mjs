// Checks exported documents with Redocly and with the official JSON Schema of
// OpenAPI 3.1: node lint.mjs <exports> <result.json> <name/version>...
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

const [exports, result, ...apis] = process.argv.slice(2);
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
  const { valid, errors: problems } = await new Validator().validate(document);
  if (!valid) errors.push(`${api} schema: ${JSON.stringify(problems)}`);
}
const summary = { documents: apis.length, operations, errors, warnings };
writeFileSync(result, JSON.stringify(summary));

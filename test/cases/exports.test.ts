import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { exportApi } from "../support/exports.js";

const HERE = path.join(ROOT, "test/cases");

/** Exports of a case; a folder lists those that it expects by having the file. */
const FILES = ["openapi.json", "schemas.json", "openapi.yaml"] as const;

const cases = readdirSync(HERE).filter((name) =>
  FILES.some((file) => existsSync(path.join(HERE, name, file))),
);

describe.each(cases)("%s", (name) => {
  const folder = path.join(HERE, name);
  const document = readFileSync(path.join(folder, "document.json"), "utf8");
  const wanted = FILES.filter((file) => existsSync(path.join(folder, file)));

  test.each(wanted)("exports the expected %s", (file) => {
    const openapiFormat = file.endsWith(".yaml") ? "yaml" : "json";
    const text = exportApi(document, { openapiFormat }).files.get(file)!;
    const expected = path.join(folder, file);
    if (process.env["UPDATE_CASES"] === "1") writeFileSync(expected, text);
    else expect(text).toBe(readFileSync(expected, "utf8"));
  });
});

import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { format } from "prettier";
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

  test.each(wanted)("exports the expected %s", async (file) => {
    const openapiFormat = file.endsWith(".yaml") ? "yaml" : "json";
    const text = exportApi(document, { openapiFormat }).files.get(file)!;
    await expect(await snapshotText(file, text)).toMatchFileSnapshot(
      path.join(folder, file),
    );
  });
});

/** Returns an export, with short JSON objects on one line. */
function snapshotText(file: string, text: string): Promise<string> {
  return file.endsWith(".json")
    ? format(JSON.stringify(JSON.parse(text)), { parser: "json" })
    : Promise.resolve(text);
}

import Ajv2020 from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isDate, isTimestamp } from "../../src/runtime/validator/times.js";
import { corpusNames } from "../support/paths.js";
import { exportApi, parsed } from "../support/exports.js";
import {
  compareOpenapi,
  danglingReferences,
  type Found,
} from "./exports/openapi.js";
import { compareSchemas, type FoundSchemas } from "./exports/schemas.js";
import type { RawDocument } from "./inventory/document.js";
import { describeCorpus, readDocument } from "./support.js";

/**
 * Exported documents contain every declaration of a description: methods, path
 * variables, parameters, schemas, properties.
 */
describeCorpus("OpenAPI and JSON Schema", () => {
  const found: Found = { methods: 0, uploads: 0, parameters: 0, variables: 0 };
  const counts: FoundSchemas = { schemas: 0, properties: 0 };
  let wanted = 0;

  test.each(corpusNames())("%s", (name) => {
    const document = readDocument(name) as RawDocument;
    const exported = exportApi(document);
    const openapi = parsed(exported, "openapi.json");
    const schemas = parsed(exported, "schemas.json");
    expect(compareOpenapi(document, openapi, found)).toEqual([]);
    const components = openapi["components"]!["schemas"]!;
    expect(compareSchemas(document, components, counts)).toEqual([]);
    expect(compareSchemas(document, schemas["$defs"]!, counts)).toEqual([]);
    expect(danglingReferences(openapi)).toEqual([]);
    expect(danglingReferences(schemas)).toEqual([]);
    expect(exported.diagnostics.filter(isLoss)).toEqual([]);
    compileAll(schemas);
    wanted += JSON.stringify(document).split('"httpMethod":"').length - 1;
  });

  test("nothing is lost", () => {
    console.info(JSON.stringify({ ...found, ...counts }));
    expect(found.methods).toBe(wanted);
    expect(found.methods).toBeGreaterThan(5_000);
  });

  test.each(["tasks.v1", "drive.v3", "storage.v1", "bigquery.v2"])(
    "%s as YAML equals the JSON",
    (name) => {
      const document = readDocument(name);
      const json = parsed(exportApi(document), "openapi.json");
      const yaml = exportApi(document, { openapiFormat: "yaml" });
      expect(parse(yaml.files.get("openapi.yaml")!)).toEqual(json);
    },
    60_000,
  );

  test.each([
    ["an operation", "get", undefined],
    ["a parameter", "parameters", []],
  ])("%s gone would be noticed", (_, key, value) => {
    const document = readDocument("tasks.v1") as RawDocument;
    const openapi = parsed(exportApi(document), "openapi.json");
    const [path] = Object.keys(openapi["paths"]!);
    const item = openapi["paths"]![path!] as unknown as Record<string, unknown>;
    item[key] = value;
    if (value === undefined) delete item[key];
    expect(compareOpenapi(document, openapi, { ...found })).not.toEqual([]);
  });
});

/** Compiles the schemas in strict mode, without unknown keywords and formats. */
function compileAll(schemas: object): void {
  const ajv = new Ajv2020.default({ strict: true, strictTypes: false });
  ajv.addFormat("date", isDate).addFormat("date-time", isTimestamp);
  ajv.compile(schemas);
}

function isLoss({ code }: { readonly code: string }): boolean {
  return code === "export-path-shared";
}

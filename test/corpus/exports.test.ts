import Ajv2020 from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isDate, isTimestamp } from "../../src/runtime/validator/scalars.js";
import { valueOf } from "../support/differential.js";
import type { Schemas } from "../support/json-schema.js";
import { corpusNames } from "../support/paths.js";
import { loadValidators } from "../support/validators.js";
import { exportApi, parsed, type Node } from "../support/exports.js";
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
    schemaCompiler(schemas)("");
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

  test.each(["bigquery.v2", "calendar.v3", "firestore.v1", "storage.v1"])(
    "%s: ajv with the exported schemas agrees with generated validators",
    async (name) => {
      const document = readDocument(name) as { readonly schemas: Schemas };
      const validators = await loadValidators(document);
      const compile = schemaCompiler(
        parsed(exportApi(document), "schemas.json"),
      );
      const total = { valid: 0, invalid: 0, out: 0 };
      for (const id of Object.keys(document.schemas)) {
        const validate = validators[`validate${id}`];
        const judge = compile(id);
        if (validate === undefined) continue;
        for (let round = 0; round < 18; round++) {
          const value = valueOf(id, document.schemas, round);
          const { valid } = validate(value);
          const isOut = JSON.stringify(value).includes(OUT_OF_RANGE);
          if (isOut && valid !== judge(value)) total.out++;
          else expect(judge(value), JSON.stringify(value)).toBe(valid);
          total[valid ? "valid" : "invalid"]++;
        }
      }
      console.info(name, JSON.stringify(total));
      expect(total.valid).toBeGreaterThan(50);
      expect(total.invalid).toBeGreaterThan(50);
    },
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

/** 2^63: patterns check the digits of an int64, not its range. */
const OUT_OF_RANGE = "9223372036854775808";

/**
 * Compiles schemas in strict mode, which rejects unknown keywords and formats;
 * returns a function that compiles one of them by name.
 */
function schemaCompiler(schemas: Node): (name: string) => ValidateFunction {
  const ajv = new Ajv2020.default({ strict: true, strictTypes: false });
  ajv.addFormat("date", isDate).addFormat("date-time", isTimestamp);
  ajv.addSchema(schemas);
  return (name) =>
    ajv.compile(
      name === ""
        ? { $ref: schemas["$id"] }
        : { $ref: `${String(schemas["$id"])}#/$defs/${name}` },
    );
}

function isLoss({ code }: { readonly code: string }): boolean {
  return code === "export-path-shared";
}

import { expect, test } from "vitest";
import { parsed, exportApi } from "../support/exports.js";
import { contextOf, generateValidators } from "../support/generate.js";
import { isFull } from "../support/full.js";
import { corpusNames } from "../support/paths.js";
import { BOTH_FILES, bundleText } from "../support/validators.js";
import type { StandardJsonSchema } from "../../src/runtime/validator/index.js";
import { describeCorpus, readDocument } from "./support.js";

const NAMES = corpusNames().filter((_, index) => isFull || index % 10 === 0);

/** The JSON Schema of each validator is the one that `json-schema` exports. */
describeCorpus("JSON Schema of validators", () => {
  let compared = 0;

  test.each(NAMES)("%s", async (name) => {
    const document = readDocument(name);
    const { $defs = {} } = parsed(exportApi(document), "schemas.json");
    const texts = new Set(Object.values($defs).map(textOf));
    const { api, files } = generateValidators(document);
    const [text = "", json] = files.values();
    const values = await load(text, json);
    const { validators } = contextOf(api).names;
    for (const validator of validators.schemas.values()) {
      const name = validators.standard.get(validator)!;
      const found = jsonSchemaOf(values, name);
      expect(texts).toContain(textOf(found.root));
      for (const [referred, schema] of Object.entries(found.referred)) {
        expect(textOf(schema)).toBe(textOf($defs[referred]));
        compared++;
      }
    }
    for (const validator of validators.requests.values())
      jsonSchemaOf(values, validators.standard.get(validator)!);
  });

  test("schemas were compared", () => {
    expect(compared).toBeGreaterThan(NAMES.length);
  });
});

const textOf = (schema: unknown): string => JSON.stringify(schema);

type Values = Readonly<Record<string, StandardJsonSchema>>;

async function load(text: string, json: string | undefined): Promise<Values> {
  const code = await bundleText(text, BOTH_FILES, json);
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return (await import(url)) as Values;
}

function jsonSchemaOf(
  values: Values,
  name: string,
): { root: object; referred: object } {
  const jsonName = name.replace(/Schema(?=\d*$)/, "JsonSchema");
  const { jsonSchema } = values[jsonName]!["~standard"];
  const { $schema, $defs, ...root } = jsonSchema.output({
    target: "draft-2020-12",
  });
  expect($schema).toContain("2020-12");
  return { root, referred: ($defs ?? {}) as object };
}

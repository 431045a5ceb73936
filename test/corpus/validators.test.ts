import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { typecheck } from "../compile/typescript.js";
import { compareWithAjv } from "../support/differential.js";
import { generateValidators } from "../support/generate.js";
import type { Schemas } from "../support/json-schema.js";
import { corpusNames } from "../support/paths.js";
import { loadText } from "../support/validators.js";
import { CORPUS, describeCorpus, generate, suiteFolder } from "./support.js";

/** Large, small and recursive documents, together with every format. */
const SAMPLE = [
  "apigee.v1",
  "bigquery.v2",
  "calendar.v3",
  "dns.v1",
  "drive.v3",
  "firestore.v1",
  "logging.v2",
  "pubsub.v1",
  "storage.v1",
  "translate.v2",
  "youtube.v3",
].filter((name) => corpusNames().includes(name));

describeCorpus("validators", () => {
  test.each(SAMPLE)("%s: validators agree with ajv", async (name) => {
    const document = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
    const { schemas } = JSON.parse(document) as { schemas: Schemas };
    const { files } = generateValidators(document, { functionsOnly: true });
    const [text = ""] = files.values();
    const validators = await loadText(text);
    const total = compareWithAjv(
      schemas,
      (id) => validators[`validate${id}`],
      27,
    );
    expect(total.disputes.slice(0, 3)).toEqual([]);
    expect(total.valid).toBeGreaterThan(50);
    expect(total.invalid).toBeGreaterThan(50);
    console.info(
      `${name}: ${total.valid} valid values, ${total.invalid} others`,
    );
  });

  const folder = suiteFolder();

  test("validators compile without a client", async () => {
    await generate(path.join(folder, "out"), undefined, "validator");
    expect(await typecheck(folder, "7", "DOM", ["out"])).toBe("");
  });
});

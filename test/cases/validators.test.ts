import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { check } from "prettier";
import { beforeAll, describe, expect, test } from "vitest";
import type { ValidationOptions } from "../../src/runtime/validator/index.js";
import { generateValidators } from "../support/generate.js";
import { ROOT } from "../support/paths.js";
import { loadText, type Validators } from "../support/validators.js";

/** A value and the errors that its validator must return. */
interface Sample {
  readonly validator: string;
  readonly value?: unknown;
  /** JSON text instead of a value, if a JavaScript literal would change it. */
  readonly json?: string;
  readonly options?: ValidationOptions;
  /** `pointer code` of each error. */
  readonly errors: readonly string[];
}

const HERE = path.join(ROOT, "test/cases/validators");

describe.each(readdirSync(HERE))("%s", (name) => {
  const read = (file: string): string =>
    readFileSync(path.join(HERE, name, file), "utf8");
  const samples = JSON.parse(read("values.json")) as Sample[];
  const { files } = generateValidators(read("document.json"));
  const [text = ""] = files.values();
  let validators: Validators;

  beforeAll(async () => {
    validators = await loadText(text);
  });

  test("prints exactly the expected validators", async () => {
    await expect(text).toMatchFileSnapshot(
      path.join(HERE, name, "validators.txt"),
    );
  });

  test("has Prettier's format", async () => {
    expect(await check(text, { parser: "typescript" })).toBe(true);
  });

  test.each(samples.map((sample, index) => [index, sample] as const))(
    "%i",
    (_, sample) => {
      const { validator, options, errors, json } = sample;
      const value: unknown =
        json === undefined ? sample.value : JSON.parse(json);
      const result = validators[validator]!(value, options);
      const found = result.valid
        ? []
        : result.errors.map(({ pointer, code }) => `${pointer} ${code}`);
      expect(found.sort()).toEqual([...errors].sort());
      expect(result.valid).toBe(errors.length === 0);
    },
  );
});

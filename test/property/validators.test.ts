import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ValidationError } from "../../src/runtime/validator/index.js";
import { compareWithAjv } from "../support/differential.js";
import type { Schemas } from "../support/json-schema.js";
import { description } from "../support/generate.js";
import { ROOT } from "../support/paths.js";
import { loadValidators } from "../support/validators.js";

function schemasOf(name: string): Schemas {
  const file = path.join(ROOT, "test/cases/validators", name, "document.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { schemas: Schemas })
    .schemas;
}

describe("validators agree with ajv", () => {
  test.each(["scalars", "shapes", "extensions", "unions"])(
    "%s",
    async (name) => {
      const schemas = schemasOf(name);
      const validators = await loadValidators(description({ schemas }));
      // JSON Schema can't limit numbers in strings.
      delete (schemas["Scalars"]?.properties as Record<string, unknown>)?.[
        "big"
      ];
      const total = compareWithAjv(
        schemas,
        (id) => validators[`validate${id}`],
        300,
      );
      expect(total.disputes.slice(0, 3)).toEqual([]);
      expect(total.valid).toBeGreaterThan(100);
      expect(total.invalid).toBeGreaterThan(100);
    },
  );
});

const anyValue = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  maxDepth: 4,
  key: fc.constantFrom(
    ...Object.keys(schemasOf("shapes")["Shapes"]!.properties!),
    "__proto__",
    "constructor",
    "a/b~c",
  ),
});

test("any value gets a result, and each error points to an existing value", async () => {
  const validators = await loadValidators(
    description({ schemas: schemasOf("shapes") }),
  );
  fc.assert(
    fc.property(
      anyValue,
      fc.integer({ min: 1, max: 5 }),
      (value, maxErrors) => {
        for (const validate of Object.values(validators)) {
          const result = validate(value, {
            maxErrors,
            unknownFields: "reject",
          });
          if (result.valid) continue;
          expect(result.errors.length).toBeGreaterThan(0);
          expect(result.errors.length).toBeLessThanOrEqual(maxErrors);
          for (const error of result.errors) expectPlace(value, error);
        }
      },
    ),
    { numRuns: 1000, seed: 11 },
  );
});

function expectPlace(value: unknown, { pointer, code }: ValidationError): void {
  if (code === "required") return;
  let at = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    expect(at).toBeTypeOf("object");
    at = (at as Record<string, unknown>)[name];
  }
}

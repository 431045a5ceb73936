import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { description, generateValidators } from "../../support/generate.js";
import { bundleText } from "../../support/validators.js";

const schemas = {
  A: { id: "A", type: "object", properties: { b: { $ref: "B" } } },
  B: {
    id: "B",
    type: "object",
    properties: { only: { type: "string", enum: ["of-b"] } },
  },
  C: {
    id: "C",
    type: "object",
    properties: {
      time: { type: "string", format: "date-time", pattern: "^of-c$" },
      state: { type: "string", enum: ["of-c-too"] },
      shape: { $ref: "D" },
    },
  },
  D: {
    id: "D",
    type: "object",
    variant: {
      discriminant: "kind",
      map: [{ type_value: "of-d", $ref: "B" }],
    },
  },
};

function textOf(): string {
  const [text = ""] = generateValidators(
    description({ schemas }),
  ).files.values();
  return text;
}

test("a bundle of one validator contains its references and nothing else", async () => {
  const code = await bundleText(
    textOf(),
    'import { validateA } from "./validators.ts"; use(validateA);',
  );
  expect(code).toContain("of-b");
  for (const other of [
    "of-c",
    "of-d",
    "isTimestamp",
    "discriminant",
    "new Map([",
  ])
    expect(code).not.toContain(other);
});

test("an unused import leaves nothing in a bundle", async () => {
  const code = await bundleText(textOf(), 'import "./validators.ts";');
  expect(transformSync(code, { minify: true }).code.trim()).toBe("");
});

test("a bundle has no dependencies and compiles nothing at run time", async () => {
  const code = await bundleText(textOf());
  for (const word of ["require(", "import ", "import(", "eval", "Function"])
    expect(code).not.toContain(word);
});

test("the runtime is small", async () => {
  const code = await bundleText(
    textOf(),
    'import { validateA } from "./validators.ts"; use(validateA);',
  );
  const { code: small } = transformSync(code, { minify: true });
  expect(gzipSync(small, { level: 9 }).length).toBeLessThan(1800);
});

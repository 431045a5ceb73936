import { expect, test } from "vitest";
import { textPattern } from "../../../src/model/build/text-pattern.js";

test.each([
  [{ type: "string", pattern: "^a" }, "^a"],
  [{ type: "string", format: "[0-9]{13}" }, "^[0-9]{13}$"],
  [{ format: "[a-z]+" }, "^[a-z]+$"],
  [{ type: "string", format: "^a|b" }, "^a|b"],
  [{ type: "string", format: "a+|b+" }, "^(?:a+|b+)$"],
  [{ type: "string", format: "[a-z]+$" }, "^[a-z]+$"],
  [{ type: "string", format: "\\$" }, "^\\$$"],
  [{ type: "string", format: "\\\\$" }, "^\\\\$"],
  [{ type: "string", format: "(?i)abc" }, "^[aA][bB][cC]$"],
  [{ type: "string", format: "google-datetime" }, undefined],
  [{ type: "string", format: "x.y" }, undefined],
  [{ type: "integer", format: "[0-9]+" }, undefined],
  [{ type: "string", pattern: "^a", format: "[0-9]+" }, "^a"],
])("pattern of %j", (schema, expected) => {
  expect(textPattern(schema)).toBe(expected);
});

import { expect, test } from "vitest";
import { levelProblem, parseLevels } from "../../../src/validate/levels.js";

test("levels of rules and of diagnostics are parsed", () => {
  expect(parseLevels(["url-insecure=off", "enum-invalid=error"])).toEqual({
    levels: { "url-insecure": "off", "enum-invalid": "error" },
  });
  expect(parseLevels([])).toEqual({ levels: {} });
});

test.each([
  ["url-insecure", "must have the form <rule>=<level>"],
  [
    "url-insecur=off",
    'unknown rule "url-insecur" (did you mean url-insecure?)',
  ],
  ["url-insecure=hint", "must be one of off, info, warning, error"],
  ["json-syntax=off", "can't be changed"],
  ["__proto__=off", 'unknown rule "__proto__"'],
  ["toString=off", 'unknown rule "toString"'],
])("%s is refused", (setting, problem) => {
  expect(parseLevels([setting])).toEqual({
    problem: expect.stringContaining(problem),
  });
});

test("a level that is not text is refused", () => {
  expect(levelProblem("url-insecure", false)).toContain("found false");
});

import { expect, test } from "vitest";
import fc from "fast-check";
import { judgePattern } from "../../../src/targets/validator/patterns.js";

test.each([
  "^[a-z]+$",
  "^projects/[^/]+/locations/[^/]+$",
  "^organizations/[^/]+/apis/[^/]+/deployments/[^/]+$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$",
  "^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$",
  "^.{0,40}$",
  "^(?:a|b)+$",
  "^(abc|abd)$",
  "^a\\$",
  "^prefix",
  "^[a-zA-Z0-9-_]{1,128}$",
  "^$",
])("%s is enforced", (pattern) => {
  expect(judgePattern(pattern)).toBe("enforced");
});

test.each(["[a-z]+", "a$", ".?", "", "x^a$"])(
  "%s is not anchored",
  (pattern) => {
    expect(judgePattern(pattern)).toBe("unanchored");
  },
);

test.each([
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|ab)*c$",
  "^(a*)*$",
  "^(?:a?){50}$",
  "^(?:a{1,3}){1,9}b$",
  "^.*.*=$",
  "^\\w+@\\w+\\w$",
  "^(?:[-a-z0-9]{1,63}\\.)*[a-z]+$",
  "^(\\w+)\\1$",
  "^(?=a)a$",
  "^\\bword$",
  "^\\p{L}+$",
  "^a|b$",
  "^[z-a]$",
  "^[a",
  "^(a",
  "^a)",
  "^*$",
  `^${"(".repeat(200)}a${")".repeat(200)}$`,
])("%s is not enforced", (pattern) => {
  expect(judgePattern(pattern)).toBe("unsafe");
});

/** Patterns made of constructs that often cause catastrophic backtracking. */
const pattern = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "b", "[ab]", ".", "(?:a|b)", "(?:ab|a)", "(?:a*b)"),
      fc.constantFrom("", "*", "+", "?", "{0,9}", "{2}"),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `^${parts.map((part) => part.join("")).join("")}$`);

test("enforced patterns take linear time", () => {
  fc.assert(
    fc.property(pattern, (source) => {
      if (judgePattern(source) !== "enforced") return;
      // Catastrophic backtracking on this text would never end.
      const form = new RegExp(source);
      form.test(`${"a".repeat(50_000)}!`);
      form.test(`${"ab".repeat(25_000)}!`);
    }),
    { numRuns: 500, seed: 3 },
  );
});

test("any text gets a result", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."^$()[]{}*+?|\\a-,1:") }),
      (text) => {
        expect(["enforced", "unanchored", "unsafe"]).toContain(
          judgePattern(text),
        );
      },
    ),
    { numRuns: 2000, seed: 5 },
  );
});

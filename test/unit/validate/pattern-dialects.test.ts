import { expect, test } from "vitest";
import { dialectDifference } from "../../../src/validate/rules/patterns.js";

test.each([
  ["^a\\z", "\\z"],
  ["\\Qa.b\\E", "\\Q"],
  ["\\pL", "\\p"],
  ["[\\p{Greek}]", "\\p"],
  ["\\x{41}", "\\x{"],
  ["\\u0041", "\\u"],
  ["(a)\\1", "\\1"],
  ["a(?!b)", "(?!"],
  ["(?<=a)b", "(?<="],
  ["a{1001}", "{1001}"],
  ["a{1,2000}", "{1,2000}"],
  ["[[:alpha:]]", "[:alpha:]"],
  ["[]a]", "[]"],
  ["[^]", "[^]"],
  ["[a-\\d]", "a-\\d"],
  ["[\\b]", "\\b"],
  ["\\h", "\\h"],
  ["[😀]", "😀"],
  ["😀+", "😀"],
])("%s contains %s", (pattern, syntax) => {
  expect(() => new RegExp(pattern)).not.toThrow();
  expect(dialectDifference(pattern)?.syntax).toBe(syntax);
});

test.each([
  "^projects/[^/]+/locations/[^/]+$",
  "^[\\w-.]+\\.\\d{2,3}$",
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  "\\x41\\-\\_\\/\\bfoo\\b",
  "[\\]a\\[]|(?:b|c)*?",
  "[[a]]",
  "a{1000}",
  "a{,3}",
  "[^]a]x".replace("[^]", "[^b"),
  "😀",
])("%s has one meaning", (pattern) => {
  expect(dialectDifference(pattern)).toBeUndefined();
});

test("a long pattern takes linear time", () => {
  expect(dialectDifference("[^/]+/".repeat(50_000))).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import {
  composeYaml,
  parseYaml,
  YamlSyntaxError,
  yamlValue,
} from "../../../src/diagnostics/yaml-document.js";

const valueOf = (text: string): unknown => yamlValue(parseYaml(text).document);

/** Returns the code and offset of the error in a text. */
function errorIn(text: string): string {
  try {
    valueOf(text);
  } catch (error) {
    if (error instanceof YamlSyntaxError)
      return `${error.code} ${error.offset}`;
    throw error;
  }
  return "none";
}

test.each<[string, unknown]>([
  ["", null],
  ["a: 1\nb: [x, { c: null }]\n", { a: 1, b: ["x", { c: null }] }],
  ["a: &x { b: 1 }\nc: *x\n", { a: { b: 1 }, c: { b: 1 } }],
  ["1: a\n'1': b\n", { 1: "b" }],
])("%j is parsed", (text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test.each([
  ["a: 1\nb: 2\na: 3\n", "DUPLICATE_KEY 10"],
  ["x: { a: 1, a: 2 }\n", "DUPLICATE_KEY 11"],
  ["a: [\n", "BAD_INDENT 5"],
  ["a: 1\n---\nb: 2\n", "MULTIPLE_DOCS 5"],
  ["a: *x\n", "BAD_ALIAS 0"],
  ["[".repeat(1_000), "RESOURCE_EXHAUSTION 0"],
  ["- ".repeat(300), "RESOURCE_EXHAUSTION 402"],
  [`a: &a 1\nb:\n${"- *a\n".repeat(101)}`, "RESOURCE_EXHAUSTION 513"],
  ["x".repeat(5_000_000), "RESOURCE_EXHAUSTION 0"],
])("the first error of %.30j is %s", (text, error) => {
  expect(errorIn(text)).toBe(error);
});

test("text that overflows the stack is an error", () => {
  expect(errorIn("- ".repeat(10_000))).toMatch(/^RESOURCE_EXHAUSTION /);
});

test("duplicate keys and aliases are left to callers with their own rules", () => {
  const { document } = composeYaml("a: &a 1\na: *a\n");
  expect(document.errors).toEqual([]);
});

const many = (line: (index: number) => string): string =>
  Array.from({ length: 50_000 }, (_, index) => line(index)).join("");

// Quadratic time is more than 50 s for each of these.
describe("a large text takes linear time", () => {
  test.each<[string, string, string]>([
    ["keys", many((at) => `a${at}: x\n`), "none"],
    ["keys in braces", `{${many((at) => `a${at}: x,\n`)}}`, "none"],
    ["errors", many(() => "a: ]\n"), "UNEXPECTED_TOKEN 3"],
    ["anchors", `a:\n${many((at) => `- &x${at} 1\n`)}`, "none"],
    [
      "aliases",
      `a:\n${many((at) => `- &x${at} 1\n- *x${at}\n`)}`,
      "RESOURCE_EXHAUSTION 1595",
    ],
  ])("%s", { timeout: 30_000 }, (_, text, error) => {
    expect(errorIn(text)).toBe(error);
  });
});

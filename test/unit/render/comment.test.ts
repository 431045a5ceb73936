import { expect, test } from "vitest";
import { docComment } from "../../../src/render/typescript/doc-comment.js";

const text = (description: string, indent = 0): string =>
  docComment({ description }, indent).text;

test.each([
  ["", ""],
  ["One line.", "/** One line. */\n"],
  ["a\n\n\n\nb", "/**\n * a\n *\n * b\n */\n"],
  ["\n\n  a  \n\n", "/** a */\n"],
  ["*/", "/** *\\/ */\n"],
  ["**/ /*", "/** **\\/ /* */\n"],
  ["/", "/** / */\n"],
  ["a\n/", "/**\n * a\n * /\n */\n"],
  ["@x", "/** \\@x */\n"],
  ["@", "/** \\@ */\n"],
  ["a@b.c (@d) {@link e}", "/** a@b.c (\\@d) {\\@link e} */\n"],
  ["a\tb", "/** a  b */\n"],
  ["a\u0000\u202eb", "/** a\\u0000\\u202eb */\n"],
  ["a\u2028b", "/**\n * a\n * b\n */\n"],
  ["\ud83d", "/** \\ud83d */\n"],
  ["ends with \\", "/** ends with \\ */\n"],
])("%j", (description, expected) => {
  expect(text(description)).toBe(expected);
});

test("long lines break at blanks, keep their indentation, and contain no tags", () => {
  const long = `  - ${"word ".repeat(15)}@tag ${"word ".repeat(5)}`;
  const lines = text(`List:\n${long}`, 2).trimEnd().split("\n");
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.slice(2, -1).every((line) => line.startsWith("   *   "))).toBe(
    true,
  );
  expect(lines.join("\n")).toContain("\\@tag");
});

test("a word longer than the line is not broken", () => {
  const url = `https://example.com/${"x".repeat(100)}`;
  expect(text(`See ${url} there.`)).toContain(` * ${url}\n`);
});

test("a description that states the reason of a deprecation follows the tag", () => {
  const doc = { description: "Deprecated: use b.\n\nMore.", deprecated: true };
  expect(docComment({ ...doc, notes: ["Format: x."] }, 0).text).toBe(
    "/**\n * Format: x.\n *\n * @deprecated use b.\n *\n * More.\n */\n",
  );
  expect(docComment({ description: "Old.", deprecated: true }, 0).text).toBe(
    "/**\n * Old.\n *\n * @deprecated\n */\n",
  );
});

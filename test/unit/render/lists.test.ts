import { expect, test } from "vitest";
import { docComment } from "../../../src/render/typescript/doc-comment.js";
import { breakLists } from "../../../src/render/typescript/lists.js";

test.each([
  ["Is one of: * a * b * c", "Is one of:\n* a\n* b\n* c"],
  ["Is one of: - `a`: x. - `b`: y.", "Is one of:\n- `a`: x.\n- `b`: y."],
  ["* a * b", "* a\n* b"],
  ["- first one - second one", "- first one\n- second one"],
  ["x * y. Values: * a * b", "x * y. Values:\n* a\n* b"],
  ["Values: * `a * b` * c", "Values:\n* `a * b`\n* c"],
  ["Values: * a - with dash * b", "Values:\n* a - with dash\n* b"],
  ["Text.\nValues: - a - b", "Text.\nValues:\n- a\n- b"],
])("%j becomes a list", (text, expected) => {
  expect(breakLists(text)).toBe(expected);
});

test.each([
  "The width * height of a picture * 2.",
  "A name - of one thing - and another.",
  "Note: * one item only",
  "Ends with a mark: * ",
  "- name - the description\n- other - the description",
  "* a\n* b * c",
  "As in: `* a * b`",
  "Range: -1 - 1",
  "Bold: **a** * **b**",
  "YAML: ``` bindings: - members: - user ```",
  "Wildcards: *.example.com * and others",
])("%j remains prose", (text) => {
  expect(breakLists(text)).toBe(text);
});

test("items of a list in a comment have a line each", () => {
  const description = "Is one of: * a * b */ @c * d";
  expect(docComment({ description }, 0).text).toBe(
    "/**\n * Is one of:\n * * a\n * * b *\\/ \\@c\n * * d\n */\n",
  );
});

test("an item at the start of a line cannot end the comment or start a tag", () => {
  const { text } = docComment({ description: "x: * / * @y * /z" }, 0);
  expect(text.slice(0, -4)).not.toContain("*/");
  expect(text).not.toMatch(/^\s*\*\s*@/m);
});

test("long hostile text takes linear time", () => {
  for (const piece of [": * a", "`", " * `", ": - ", " - a"])
    expect(breakLists(piece.repeat(50_000)).length).toBeGreaterThan(0);
});

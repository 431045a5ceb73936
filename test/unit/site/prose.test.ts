import { expect, it } from "vitest";
import { paragraphs } from "../../../src/site/prose.js";

const rendered = (text: string): string =>
  (paragraphs(text, "https://example.com")?.markup ?? "").replaceAll("\n", "");

it.each([
  [
    "bullets after a colon",
    "One of: * a * b",
    "<p>One of:</p><ul><li>a</li><li>b</li></ul>",
  ],
  [
    "bullets after a sentence",
    "Makes a store. - Key: holds keys. - Trust: holds others.",
    "<p>Makes a store.</p><ul><li>Key: holds keys.</li><li>Trust: holds others.</li></ul>",
  ],
  [
    "bullets with emphasis",
    "Kinds: * **a**: x * **b**: y",
    "<p>Kinds:</p><ul><li><strong>a</strong>: x</li><li><strong>b</strong>: y</li></ul>",
  ],
  [
    "a second list on the same line",
    "One of: * a * b. Needs: * c * d",
    "<p>One of:</p><ul><li>a</li><li>b. Needs:</li><li>c</li><li>d</li></ul>",
  ],
  [
    "numbers",
    "In two cases: 1. It has `2. x`. 2. It has none.",
    "<p>In two cases:</p><ol><li>It has <code>2. x</code>.</li><li>It has none.</li></ol>",
  ],
  [
    "numbers with parentheses",
    "Cases: 1) a 2) b",
    "<p>Cases:</p><ol><li>a</li><li>b</li></ol>",
  ],
  [
    "items that are code",
    "One of: * `a * b` * `c`",
    "<p>One of:</p><ul><li><code>a * b</code></li><li><code>c</code></li></ul>",
  ],
  [
    "the same number",
    "Do this: 1. First. 1. Second.",
    "<p>Do this:</p><ol><li>First.</li><li>Second.</li></ol>",
  ],
])("breaks lists on one line: %s", (_, text, expected) => {
  expect(rendered(text)).toBe(expected);
});

it.each([
  "The size is (a) * b * c.",
  "Use version 1. It is newer than version 2. Use it.",
  "A range - from a to b - is allowed.",
  "Has 1. one item only.",
  "Code: `a * b * c - d - e`",
])("leaves other text on its line: %s", (text) => {
  expect(rendered(text)).not.toMatch(/<[uo]l/);
});

it("shows long descriptions completely", () => {
  const text = `${"word ".repeat(1500)}end.`;
  expect(rendered(text)).toContain("end.");
});

it("links only to http and https, and shows HTML as text", () => {
  const text = rendered(
    `[a](javascript:alert(1)) [b](data:text/html,x) [c](//example.org/x) <b onclick="x">d</b> ![e](https://example.com/e.png) <javascript:alert(2)> [f]: javascript:alert(3)`,
  );
  expect(text).not.toMatch(/<(?!\/?(?:p|a)\b)/);
  for (const [, href] of text.matchAll(/href="([^"]*)"/g))
    expect(href).toMatch(/^https?:\/\//);
});

it.each([
  ["brackets", "["],
  ["links", "[a]("],
  ["emphasis", "*a _"],
  ["code", "`a ``"],
  ["bullets", ". * a"],
  ["numbers", ": 1. a"],
  ["quotes", "> "],
  ["tables", "|a|\n|-|\n"],
  ["tables of many columns", "a|"],
])("bounds the work for %s", (_, part) => {
  const text = part.repeat(20_000 / part.length);
  const markup = rendered(`${text}\n${text}`);
  expect(markup.length).toBeLessThan(40 * 20_000);
});

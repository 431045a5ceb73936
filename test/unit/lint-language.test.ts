import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

interface Finding {
  readonly line: number;
  readonly words: string;
}

const script = path.join(ROOT, "scripts/lint-language.mjs");
const { lintText } = (await import(script)) as {
  lintText(name: string, text: string): Finding[];
};

const wordsOf = (name: string, text: string) =>
  lintText(name, text).map(({ line, words }) => `${line} ${words}`);

test("doc comments begin with a verb or a noun", () => {
  expect(
    wordsOf(
      "a.ts",
      `/** Whether it fits. */
export const fits = true;
/**
 * What the folder
 * holds.
 */
// Where a line comment begins is free.
/** Returns what the folder holds. */
`,
    ),
  ).toEqual(["1 Whether it fits. …", "4 What the folder holds. …"]);
});

test("terms are checked in comments and messages, with the line of the words", () => {
  expect(
    wordsOf(
      "a.ts",
      `// The
// answer is
// under
// way.
const message = \`the value \${x} is no integer\`;
const sum = "it is " + "no array of " + count;
`,
    ),
  ).toEqual(["2 answer", "3 under way", "5 is no", "6 is no"]);
});

test("code, single words, imports and quoted names are exempt", () => {
  expect(
    wordsOf(
      "a.ts",
      `import { answer } from "./the answer is.js";
// Prints \`the answer\`.
const answer = /the answer is/;
call("answer", "there is no file", "is no longer open");
`,
    ),
  ).toEqual([]);
});

test("prose of Markdown, JSON and templates is checked, their code is not", () => {
  expect(
    wordsOf(
      "a.md",
      `The [place](place.md) of it.

\`\`\`ts
place.of(it); // its place
\`\`\`
`,
    ),
  ).toEqual(["1 of it", "1 place", "4 place"]);
  expect(wordsOf("a.json", `{\n  "place": "the place of a file"\n}`)).toEqual([
    "2 place",
  ]);
  expect(
    wordsOf("a.hbs", "{{!-- the place of a file --}}\nplace of it\n"),
  ).toEqual(["1 place"]);
});

test("a comment exempts the next line or a file of data", () => {
  expect(
    wordsOf("a.ts", `// lint-language-next-line\ncall("the answer is 42");\n`),
  ).toEqual([]);
  expect(
    wordsOf(
      "a.ts",
      `// lint-language: off, test data\ncall("the answer is");\n`,
    ),
  ).toEqual([]);
});

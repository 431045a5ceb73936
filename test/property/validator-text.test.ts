import fc from "fast-check";
import { check } from "prettier";
import ts from "ts6";
import { describe, expect, test } from "vitest";
import { errorsOf, parse } from "../cases/output.js";
import { generateValidators } from "../support/generate.js";
import { HOSTILE, TEMPLATE, fill, slotsOf } from "./hostile.js";
import { isFull, rounds } from "../support/full.js";

const SLOTS = slotsOf(TEMPLATE);

/** Returns validators.ts and json-schemas.ts. */
function textsOf(text: (label: string) => string): string[] {
  const usable = (label: string): string =>
    text(label) || (label === "name" || label === "version" ? "x" : "");
  return [...generateValidators(fill(TEMPLATE, usable)).files.values()];
}

/** Returns the tokens of the code other than strings, numbers and comments. */
function wordsOf(code: string): Set<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) words.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse("validators.ts", code));
  return words;
}

/** Constants that templates print. */
const PURE =
  /^(?:const [\w$]+ =\s*\/\* @__PURE__ \*\/ new (?:Set|Map|RegExp)|export const [\w$]+: Standard(?:Json)?(?:Schema|Patch) =\s*\/\* @__PURE__ \*\/ (?:standard|with(?:Json|Patch)Schema))\(/;

/** Returns the statements of the file and its functions that no template prints. */
function strangers(code: string): string[] {
  const source = parse("validators.ts", code);
  const found = [...errorsOf(source)];
  for (const statement of source.statements) {
    const isOurs =
      ts.isImportDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      (ts.isVariableStatement(statement) && PURE.test(statement.getText()));
    if (!isOurs) found.push(statement.getText());
  }
  if (wordsOf(code).has("pwned")) found.push("pwned");
  return found;
}

describe("text of a description never becomes code", () => {
  test.each(HOSTILE.map((text) => [text.slice(0, 30), text] as const))(
    "%j everywhere",
    (_, text) => {
      const values = [text, `${text} x`, `x ${text}`];
      for (const made of isFull ? values : values.slice(0, 2)) {
        const codes = textsOf((label) => (made === text ? made : label + made));
        expect(codes).toHaveLength(2);
        expect(codes.flatMap(strangers)).toEqual([]);
      }
    },
  );
});

/** Every hostile text in the project `long`, else every sixth. */
const isChosen = (_: unknown, index: number): boolean =>
  isFull || index % 6 === 0;

describe("output has Prettier's format", () => {
  const expectFormatted = async (codes: readonly string[]): Promise<void> => {
    for (const code of codes)
      expect(await check(code, { parser: "typescript" }), code).toBe(true);
  };
  const repeated = (label: string, length: number): string =>
    `${label.replace(/[^a-z]/gi, "")}${"Abcdefghij".repeat(9)}`.slice(
      0,
      length,
    );

  test("for any names", async () => {
    const narrow = HOSTILE.filter(
      (text) => text.length < 100 && !/[^\u0000-\u02af]/.test(text),
    );
    for (const text of narrow.filter(isChosen))
      await expectFormatted(textsOf(() => text));
  });

  test("for any length of all names", async () => {
    for (let length = 1; length < 100; length += isFull ? 1 : 12)
      await expectFormatted(textsOf((label) => repeated(label, length)));
  });

  test("for any length of each name", async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 80 }), {
      minLength: SLOTS.length,
      maxLength: SLOTS.length,
    });
    await fc.assert(
      fc.asyncProperty(lengths, (chosen) =>
        expectFormatted(
          textsOf((label) => repeated(label, chosen[SLOTS.indexOf(label)]!)),
        ),
      ),
      { numRuns: rounds(100), seed: 7 },
    );
  });
});

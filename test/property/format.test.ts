import fc from "fast-check";
import { check } from "prettier";
import { expect, test } from "vitest";
import { Code } from "../../src/render/typescript/code.js";
import {
  Call,
  printData,
  type Data,
} from "../../src/render/typescript/literals.js";
import {
  aliasDeclaration,
  generic,
  memberDeclaration,
  named,
  type TypeTree,
} from "../../src/render/typescript/types.js";
import { generateClient } from "../support/generate.js";
import { HOSTILE, TEMPLATE, fill, slotsOf } from "./hostile.js";
import { isFull, rounds } from "../support/full.js";

const SLOTS = slotsOf(TEMPLATE);

async function unformatted(text: (label: string) => string): Promise<string[]> {
  const { files } = generateClient(fill(TEMPLATE, text));
  const found: string[] = [];
  for (const [path, code] of files)
    if (!(await check(code, { parser: "typescript" }))) found.push(path);
  return found;
}

/** Texts without wide characters: Prettier counts columns, the generator code units. */
const NARROW = HOSTILE.filter(
  (text) => text.length < 100 && !/[^\u0000-\u02af]/.test(text),
);

/** Every hostile name in the project `long`, else every fourth. */
const isChosen = (_: unknown, index: number): boolean =>
  isFull || index % 4 === 0;

test("Prettier does not change output with hostile names", async () => {
  for (const text of NARROW.filter(isChosen)) {
    expect(await unformatted(() => text), text).toEqual([]);
    expect(await unformatted((label) => `${label} ${text}`), text).toEqual([]);
  }
});

test("Prettier does not change output with names of any length", async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 70 }), {
    minLength: SLOTS.length,
    maxLength: SLOTS.length,
  });
  await fc.assert(
    fc.asyncProperty(lengths, async (chosen) => {
      const text = (label: string): string =>
        `${label.replace(/[^a-z]/gi, "")}${"Abcdefghij".repeat(9)}`.slice(
          0,
          chosen[SLOTS.indexOf(label)],
        );
      expect(await unformatted(text)).toEqual([]);
    }),
    { numRuns: rounds(40, 4), seed: 7 },
  );
});

const word = fc
  .integer({ min: 1, max: 45 })
  .map((length) => `A${"bcdefghij".repeat(5)}`.slice(0, length));
const name = word.map((text) => named(text));
const literal = word.map((value) => ({ kind: "literal", value }) as const);

/** Types of schemas. */
const type: fc.Arbitrary<TypeTree> = fc.letrec<{ type: TypeTree }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    fc.record({ kind: fc.constant("array" as const), of: tie("type") }),
    fc.record({ kind: fc.constant("index" as const), of: tie("type") }),
  ),
})).type;

/** Types of variants. */
const variant: fc.Arbitrary<TypeTree> = fc
  .array(
    fc
      .tuple(fc.array(name, { minLength: 1, maxLength: 2 }), word, literal)
      .map(([parts, key, value]): TypeTree => ({
        kind: "intersection",
        of: [...parts, { kind: "object", members: [{ key, type: value }] }],
      })),
    { minLength: 1, maxLength: 4 },
  )
  .map((of) => (of.length === 1 ? of[0]! : { kind: "union", of }));

async function expectFormatted(code: string): Promise<void> {
  expect(await check(code, { parser: "typescript" }), code).toBe(true);
}

test("type aliases are laid out as by Prettier", async () => {
  await fc.assert(
    fc.asyncProperty(word, fc.oneof(type, variant), (alias, tree) =>
      expectFormatted(`${aliasDeclaration(alias, tree).text}\n`),
    ),
    { numRuns: rounds(400), seed: 11 },
  );
});

test("types of properties are laid out as by Prettier", async () => {
  const property = fc.oneof(
    type,
    type.map((of): TypeTree => ({ kind: "array", of, readonly: true })),
    fc.tuple(word, type).map(([made, of]) => generic(made, of)),
    fc
      .tuple(word, name, fc.array(literal, { minLength: 1, maxLength: 5 }))
      .map(([made, of, keys]) =>
        generic(
          made,
          of,
          keys.length === 1 ? keys[0]! : { kind: "union", of: keys },
        ),
      ),
  );
  await fc.assert(
    fc.asyncProperty(word, property, (key, tree) => {
      const member = memberDeclaration(`${key}?`, tree).text;
      return expectFormatted(`interface X {\n  ${member}\n}\n`);
    }),
    { numRuns: rounds(400), seed: 13 },
  );
});

test("trees of methods are laid out as by Prettier", async () => {
  const part = fc.oneof(
    word.map((name) => ({ body: new Code(name) })),
    fc.tuple(word, word).map(([id, name]) => ({ id, names: { [name]: id } })),
    word.map((name) => new Code(name)),
    fc.tuple(word, word).map(([name, items]) => new Call(name, { items })),
    word.map((name) => ({ members: { [name]: ["GET", name] } })),
  );
  const entry = fc
    .tuple(word, fc.array(part, { maxLength: 3 }))
    .map(([path, parts]): Data => ["GET", path, ...parts]);
  await fc.assert(
    fc.asyncProperty(word, entry, word, entry, (a, first, b, second) => {
      const tree = { [a]: first, [b]: { [a]: second } };
      const text = printData(tree);
      return expectFormatted(`const x = (): object => (${text});\n`);
    }),
    { numRuns: rounds(300), seed: 17 },
  );
});

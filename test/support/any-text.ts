import fc from "fast-check";

/**
 * Text of any code points except halves of pairs, as `fc.string({ unit: "binary" })`,
 * which first spends a second on a table of all of them.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0x7f }),
        fc.integer({ min: 0, max: 0xd7ff }),
        fc.integer({ min: 0xe000, max: 0x10ffff }),
      ),
      { maxLength },
    )
    .map((points) => String.fromCodePoint(...points));

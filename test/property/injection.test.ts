import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../support/any-text.js";
import { generateClient } from "../support/generate.js";
import { violations } from "./code-rules.js";
import { HOSTILE, TEMPLATE, fill, slotsOf } from "./hostile.js";
import { rounds } from "../support/full.js";

const SLOTS = slotsOf(TEMPLATE);

/** Matches a path segment that is not `..`, hidden, or the name of a device. */
const SEGMENT =
  /^(?!\.)(?!(?:con|prn|aux|nul|com\d|lpt\d)\b(?![_-]))[\w.-]{1,255}$/i;

/** Generates the document and returns the faults of the output. */
function faultsOf(text: (label: string) => string): string[] {
  const usable = (label: string): string =>
    text(label) || (label === "name" || label === "version" ? "x" : "");
  const { files } = generateClient(fill(TEMPLATE, usable));
  const paths = [...files.keys()];
  const folder = (path: string): string =>
    path.split("/").slice(0, 2).join("/");
  return [
    ...[...files].flatMap(([path, code]) => violations(path, code)),
    ...paths
      .filter((path) => !path.split("/").every((part) => SEGMENT.test(part)))
      .map((path) => `path ${path}`),
    ...paths
      .filter((path) => folder(path) !== folder(paths[0]!))
      .map((path) => `folder ${path}`),
    ...(new Set(paths.map((path) => path.toLowerCase())).size === paths.length
      ? []
      : ["two files with the same name"]),
  ];
}

/** Values of a slot: all in the project `long`, else the one that keeps slots apart. */
const POSITIONS = [
  (label: string, text: string) => text + label,
  (_: string, text: string) => text,
  (label: string, text: string) => `${label} ${text}`,
].slice(0, rounds(3, 1));

describe("text of a description is never code", () => {
  test("the document has slots for every kind of string and key", () => {
    expect(SLOTS.length).toBeGreaterThan(120);
    expect(faultsOf((label) => label)).toEqual([]);
  });

  test.each(HOSTILE.map((text) => [text.slice(0, 30), text] as const))(
    "%j in every slot",
    (_, text) => {
      for (const position of POSITIONS)
        expect(faultsOf((label) => position(label, text))).toEqual([]);
    },
  );

  test("any mixture of hostile texts", () => {
    const nasty = fc.oneof(
      fc.constantFrom(...HOSTILE.filter((text) => text.length < 1000)),
      fc
        .array(fc.constantFrom(...HOSTILE.filter((text) => text.length < 40)), {
          minLength: 2,
          maxLength: 4,
        })
        .map((parts) => parts.join("")),
      anyText(40),
      fc.string({
        unit: fc.constantFrom(..."*/\\@`'\"\n \t{}$"),
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(
        fc.array(nasty, { minLength: SLOTS.length, maxLength: SLOTS.length }),
        fc.array(fc.boolean(), {
          minLength: SLOTS.length,
          maxLength: SLOTS.length,
        }),
        (texts, chosen) => {
          const text = (label: string): string => {
            const index = SLOTS.indexOf(label);
            return chosen[index] === true ? texts[index]! : label;
          };
          expect(faultsOf(text)).toEqual([]);
        },
      ),
      { numRuns: rounds(120, 10), seed: 20_250_101 },
    );
  });
});

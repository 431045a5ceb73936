import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readFast } from "../../src/overrides/document/fast-reader.js";
import { readAnyYaml } from "../../src/overrides/document/read-yaml.js";
import type { Node } from "../../src/overrides/document/tree.js";
import { ruleCatalogue } from "../../src/overrides/rules/catalogue.js";
import { VALID_12, VALID_13 } from "../support/overrides.js";
import { files12 } from "../support/overrides-files.js";
import { SHARED } from "../support/paths.js";

/** Returns the parts of a tree that rules and edits use; block collections end with their last value. */
function essence(node: Node): unknown {
  const { start, end } = node.range;
  if (node.kind === "scalar")
    return node.value === null && start === end
      ? { value: null }
      : { ...node, range: [start, end] };
  const range = node.isFlow ? [start, end] : [start];
  if (node.kind === "list")
    return { range, isFlow: node.isFlow, items: node.items.map(essence) };
  return {
    range,
    isFlow: node.isFlow,
    entries: node.entries.map((entry) => ({
      ...entry,
      value: essence(entry.value),
    })),
  };
}

/** Returns whether the fast reader read a text; the result must equal that of the complete reader. */
function expectSame(text: string): boolean {
  const read = readFast(text);
  const fast = typeof read === "number" ? undefined : read;
  if (fast === undefined) return false;
  const { root, problems } = readAnyYaml(text);
  expect(problems, text).toEqual([]);
  expect(essence(fast), text).toEqual(essence(root!));
  return true;
}

test("files like settings files", () => {
  for (const text of [VALID_12, VALID_13, `---\n${VALID_13}`])
    expect(expectSame(text)).toBe(true);
  for (const { bad = "", good = "" } of Object.values(ruleCatalogue)) {
    expectSame(bad);
    expectSame(good);
  }
  const folder = path.join(SHARED, "samples/overrides");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0) console.info("The shared samples are not here.");
  const read = names.filter((name) =>
    expectSame(readFileSync(path.join(folder, name), "utf8")),
  );
  if (names.length > 0) expect(read.length).toBeGreaterThan(names.length / 2);
});

test("random files", () => {
  let read = 0;
  fc.assert(
    fc.property(files12, ({ text }) => {
      if (expectSame(text.replace(/^\ufeff/, ""))) read++;
    }),
    { numRuns: 300 },
  );
  expect(read).toBe(300);
});

const WORDS =
  "- |: | #|\n  |\n- |---\n|...\n|<<: |? |a: b\n|true|null|0x1|1e3|.5|é|\u2028|\u00a0";
const PIECES = [..."-:#'\"[]{}&*!|>?%@,~ \n\t\r=.0", ...WORDS.split("|")];

test("files with random syntax: the fast reader agrees with the complete one", () => {
  let read = 0;
  const spot = fc.tuple(fc.nat(), fc.constantFrom(...PIECES), fc.nat(2));
  fc.assert(
    fc.property(
      fc.constantFrom(
        VALID_12,
        VALID_13,
        "a:\n  - b: [c, {d: e}]\n    f: 'g'\nh: i # j\n",
      ),
      fc.array(spot, { minLength: 1, maxLength: 4 }),
      (base, spots) => {
        let text = base;
        for (const [place, piece, taken] of spots) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + piece + text.slice(at + taken);
        }
        if (expectSame(text)) read++;
      },
    ),
    { numRuns: 4000 },
  );
  expect(read).toBeGreaterThan(400);
}, 120_000);

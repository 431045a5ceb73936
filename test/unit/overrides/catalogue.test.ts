import { describe, expect, test } from "vitest";
import { ruleCatalogue } from "../../../src/overrides/rules/catalogue.js";
import { check, VALID_13, withBlocks } from "../../support/overrides.js";

/** Rules about the document, whose examples are complete files. */
const WHOLE = new Set(["S02", "S03", "S04", "S06"]);
/** Rules without examples, because text can't show them. */
const SILENT = ["S00", "S01", "S12", "T10"];

const rows = Object.entries(ruleCatalogue);

test("every rule has examples, except those about bytes and files", () => {
  const without = rows.filter(([, { bad }]) => bad === undefined);
  expect(without.map(([code]) => code)).toEqual(SILENT);
});

describe("examples of the documentation", () => {
  const examples = rows.filter(([, { bad }]) => bad !== undefined);

  test.each(examples)(
    "%s: the wrong example has the finding",
    (code, { bad = "" }) => {
      expect(codesOf(code, bad)).toContain(code);
    },
  );

  test.each(examples)(
    "%s: the right example has no finding",
    (code, { good = "" }) => {
      expect(codesOf(code, good)).not.toContain(code);
    },
  );
});

function codesOf(code: string, example: string): string[] {
  const text = WHOLE.has(code) ? example : withBlocks(VALID_13, example);
  // Production mode, since some rules apply only there.
  const mode = code === "X08" || code === "X13" ? "prod" : "demo";
  const { diagnostics } = check(text, { mode });
  const isProduction = code === "X13";
  return diagnostics
    .filter(({ path }) => !isProduction || path.startsWith("nodeSelector"))
    .map((found) => found.code);
}

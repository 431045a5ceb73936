import { LineIndex } from "../document/line-index.js";
import { readYaml } from "../document/read-yaml.js";
import { unifiedDiff, type LineRenderer } from "./unified-diff.js";
import { createLineMasker } from "./line-masker.js";

/** Unified diff in which secrets are masked, and the number of masked lines. */
export interface MaskedDiff {
  readonly text: string;
  readonly maskedLineCount: number;
}

/** Compares two versions of an overrides file and masks secrets in the diff. */
export function maskedDiff(
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): MaskedDiff {
  const text = unifiedDiff(name, before, after, {
    before: maskedLineRenderer(before),
    after: maskedLineRenderer(after),
  });
  const maskedLineCount =
    text === "" ? 0 : countMaskedLines(name, before, after, text);
  return { text, maskedLineCount };
}

/**
 * Returns a function that masks secrets in a line and keeps the line break of
 * the line.
 */
function maskedLineRenderer(text: string): LineRenderer {
  const show = createLineMasker(new LineIndex(text), readYaml(text).root);
  return (line, number) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? "";
    return show(number).text + end;
  };
}

function countMaskedLines(
  name: string,
  before: string,
  after: string,
  shown: string,
): number {
  const unmasked = unifiedDiff(name, before, after).split("\n");
  const lines = shown.split("\n");
  return lines.filter((line, index) => line !== unmasked[index]).length;
}

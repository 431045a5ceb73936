import {
  FILE_HEADERS_ONLY,
  formatPatch,
  structuredPatch,
  type StructuredPatch,
} from "diff";
import { LineIndex } from "../document/source-text.js";
import { readYaml } from "../document/read-yaml.js";
import { createLineMasker } from "./mask.js";

/**
 * Maximum number of changed lines that are compared. The time of a comparison
 * is quadratic in this number. For larger changes, the diff removes all lines
 * and adds all lines.
 */
const MAX_CHANGED_LINES = 1_000;

/**
 * Compares two texts and returns the changes in the format of `diff -u` and
 * `git apply`; an empty string if they are equal.
 */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
): string {
  return before === after ? "" : textOf(patchOf(name, before, after));
}

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
  if (before === after) return { text: "", maskedLineCount: 0 };
  const patch = patchOf(name, before, after);
  const masks = { old: lineMaskerOf(before), new: lineMaskerOf(after) };
  let maskedLineCount = 0;
  for (const hunk of patch.hunks) {
    let [old, now] = [hunk.oldStart, hunk.newStart];
    hunk.lines = hunk.lines.map((line) => {
      const sign = line.charAt(0);
      if (sign === "\\") return line;
      const text = sign === "+" ? masks.new(now) : masks.old(old);
      if (sign !== "+") old++;
      if (sign !== "-") now++;
      const shown = sign + text + (line.endsWith("\r") ? "\r" : "");
      if (shown !== line) maskedLineCount++;
      return shown;
    });
  }
  return { text: textOf(patch), maskedLineCount };
}

/** Returns a function that masks secrets in a line, counted from 1. */
function lineMaskerOf(text: string): (line: number) => string {
  const mask = createLineMasker(new LineIndex(text), readYaml(text).root);
  return (line) => mask(line).text;
}

function patchOf(name: string, before: string, after: string): StructuredPatch {
  const [oldFileName, newFileName] = [`a/${name}`, `b/${name}`];
  const patch = structuredPatch(
    oldFileName,
    newFileName,
    before,
    after,
    undefined,
    undefined,
    { context: 3, maxEditLength: MAX_CHANGED_LINES },
  );
  if (patch !== undefined) return patch;
  const [removed, added] = [
    changedLines("-", before),
    changedLines("+", after),
  ];
  const hunk = {
    oldStart: 1,
    oldLines: removed.filter((line) => line.startsWith("-")).length,
    newStart: 1,
    newLines: added.filter((line) => line.startsWith("+")).length,
    lines: [...removed, ...added],
  };
  return {
    oldFileName,
    newFileName,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  };
}

function changedLines(sign: "-" | "+", text: string): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [sign + line.slice(0, -1)]
      : [sign + line, "\\ No newline at end of file"],
  );
}

function textOf(patch: StructuredPatch): string {
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

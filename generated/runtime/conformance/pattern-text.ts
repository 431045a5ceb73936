/* eslint-disable */
// biome-ignore-all lint: generated

import { boundedPattern, compilePattern } from "../server/routing/pattern.js";
import type { PatternNode } from "../server/routing/pattern-syntax.js";
import { contains, type UnitRanges } from "../server/routing/unit-ranges.js";
import { pick } from "./random.js";

/**
 * Maximum number of strings to generate until one matches the pattern. Several
 * can be needed, because the generator ignores anchors such as `^` and `$`.
 */
const ATTEMPTS = 20;

/**
 * Length of the generated string in characters. Beyond this length, each
 * repetition in the pattern uses its minimum count.
 */
const LONG = 200;

/** Length in characters at which generating a string is abandoned. */
const TOO_LONG = 10_000;

/**
 * Generates a string that matches a pattern; returns undefined if none was
 * found.
 */
export function patternText(
  pattern: string,
  random: () => number,
): string | undefined {
  const node = boundedPattern(pattern);
  const test = compilePattern(pattern);
  if (node === undefined || test === undefined) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = write(node, "", random);
    if (text.length > TOO_LONG) return undefined;
    if (test(text)) return text;
  }
  return undefined;
}

/** Appends a string that matches a node of the pattern. Anchors are ignored. */
function write(
  node: PatternNode,
  before: string,
  random: () => number,
): string {
  switch (node.kind) {
    case "edge":
      return before;
    case "set":
      return before + character(node.ranges, random);
    case "sequence":
      return node.of.reduce((text, one) => write(one, text, random), before);
    case "alternation":
      return write(pick(node.of, random), before, random);
    case "repeat":
      return repeat(node, before, random);
  }
}

function repeat(
  { of, min, max }: Extract<PatternNode, { kind: "repeat" }>,
  before: string,
  random: () => number,
): string {
  const more = before.length > LONG ? 0 : Math.min(max - min, 3);
  const count = min + Math.ceil(random() * more);
  let text = before;
  for (let index = 0; index < count && text.length <= TOO_LONG; index++)
    text = write(of, text, random);
  return text;
}

/** Characters that are preferred in generated strings, most readable first. */
const PREFERRED: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "-_. /@:+=!#$%&()*,;<>?[]^`{|}~'\"\\",
];

/**
 * Cache of the characters in each character set. Patterns often contain the
 * same set several times.
 */
const choices = new WeakMap<UnitRanges, readonly string[]>();

function character(ranges: UnitRanges, random: () => number): string {
  let fitting = choices.get(ranges);
  if (fitting === undefined) choices.set(ranges, (fitting = choose(ranges)));
  return fitting.length === 0 ? "" : pick(fitting, random);
}

function choose(ranges: UnitRanges): readonly string[] {
  for (const characters of PREFERRED) {
    const fitting = [...characters].filter((one) =>
      contains(one.charCodeAt(0), ranges),
    );
    if (fitting.length > 0) return fitting;
  }
  return ranges.slice(0, 1).map(([first]) => String.fromCharCode(first));
}

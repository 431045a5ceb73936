import { parsePattern, type Node } from "./pattern-parser.js";
import { overlap, type Ranges } from "./ranges.js";

/** How a pattern is treated. */
export type Verdict = "enforced" | "unanchored" | "unsafe";

/** Ways to read a text that may multiply before a pattern counts as unsafe. */
const MAX_WAYS = 10_000;

/** A repetition of more than this counts as endless. */
const MANY = 1000;

/**
 * Whether a pattern can be enforced: it says where it starts (others are hints
 * more often than rules), and matching it takes time in proportion to the
 * text. That is so where each character decides which way to go, but for a
 * bounded number of choices.
 */
export function judgePattern(source: string): Verdict {
  if (!source.startsWith("^")) return "unanchored";
  const body = /[^\\](?:\\\\)*\$$/.test(source)
    ? source.slice(1, -1)
    : source.slice(1);
  const node = parsePattern(body);
  if (node === undefined || !compiles(source)) return "unsafe";
  return waysOf(node, [], false) <= MAX_WAYS ? "enforced" : "unsafe";
}

function compiles(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** How often matching may try again; infinite where it grows with the text. */
function waysOf(node: Node, follow: Ranges, isLooped: boolean): number {
  switch (node.kind) {
    case "set":
      return 1;
    case "sequence":
      return waysOfSequence(node.nodes, follow, isLooped);
    case "choice":
      return waysOfChoice(node.nodes, follow, isLooped);
    case "repeat":
      return waysOfRepeat(node, follow, isLooped);
  }
}

function waysOfSequence(
  nodes: readonly Node[],
  follow: Ranges,
  isLooped: boolean,
): number {
  let ways = 1;
  let next = follow;
  for (const node of [...nodes].reverse()) {
    ways *= waysOf(node, next, isLooped);
    next = isNullable(node) ? [...firstOf(node), ...next] : firstOf(node);
  }
  return ways;
}

function waysOfChoice(
  nodes: readonly Node[],
  follow: Ranges,
  isLooped: boolean,
): number {
  const starts = nodes.map((node) =>
    isNullable(node) ? [...firstOf(node), ...follow] : firstOf(node),
  );
  const isOpen = starts.some((start, index) =>
    starts.slice(index + 1).some((other) => overlap(start, other)),
  );
  if (isOpen && isLooped) return Infinity;
  const ways = nodes.map((node) => waysOf(node, follow, isLooped));
  return isOpen
    ? ways.reduce((sum, one) => sum + one, 0)
    : Math.max(1, ...ways);
}

function waysOfRepeat(
  { node, min, max }: Extract<Node, { kind: "repeat" }>,
  follow: Ranges,
  isLooped: boolean,
): number {
  const first = firstOf(node);
  const isEndless = max > MANY;
  const isOpen = overlap(first, follow) || (isNullable(node) && max > 1);
  if (isOpen && (isEndless || isLooped)) return Infinity;
  const isRepeated = max > 1;
  const inner = waysOf(node, [...first, ...follow], isLooped || isRepeated);
  return isOpen ? inner * (max - min + 1) : inner;
}

function isNullable(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "sequence":
      return node.nodes.every(isNullable);
    case "choice":
      return node.nodes.some(isNullable);
    case "repeat":
      return node.min === 0 || isNullable(node.node);
  }
}

/** The characters that a match can begin with. */
function firstOf(node: Node): Ranges {
  switch (node.kind) {
    case "set":
      return node.ranges;
    case "choice":
      return node.nodes.flatMap(firstOf);
    case "repeat":
      return firstOf(node.node);
    case "sequence": {
      const end = node.nodes.findIndex((part) => !isNullable(part));
      const parts = end === -1 ? node.nodes : node.nodes.slice(0, end + 1);
      return parts.flatMap(firstOf);
    }
  }
}

import {
  parsePattern,
  type Piece,
} from "../../runtime/server/pattern-syntax.js";
import { overlap, type Ranges } from "../../runtime/server/unit-ranges.js";

/** A pattern without edges. */
type Node =
  | Extract<Piece, { kind: "set" }>
  | { readonly kind: "row" | "either"; readonly of: readonly Node[] }
  | {
      readonly kind: "times";
      readonly of: Node;
      readonly min: number;
      readonly max: number;
    };

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
  const node = withoutAnchors(parsePattern(source));
  if (node === undefined) return "unsafe";
  return waysOf(node, [], false) <= MAX_WAYS ? "enforced" : "unsafe";
}

/** What stands between the edges; undefined where there are edges within, too. */
function withoutAnchors(piece: Piece | undefined): Node | undefined {
  if (piece?.kind === "edge") return { kind: "row", of: [] };
  if (piece?.kind !== "row") return undefined;
  const last = piece.of.at(-1)!;
  const end = last.kind === "edge" && last.atEnd ? -1 : undefined;
  const row = { kind: "row", of: piece.of.slice(1, end) } as const;
  return isNode(row) ? row : undefined;
}

function isNode(piece: Piece): piece is Node {
  switch (piece.kind) {
    case "set":
      return true;
    case "edge":
      return false;
    case "times":
      return isNode(piece.of);
    default:
      return piece.of.every(isNode);
  }
}

/** How often matching may try again; infinite where it grows with the text. */
function waysOf(node: Node, follow: Ranges, isLooped: boolean): number {
  switch (node.kind) {
    case "set":
      return 1;
    case "row":
      return waysOfSequence(node.of, follow, isLooped);
    case "either":
      return waysOfChoice(node.of, follow, isLooped);
    case "times":
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
  { of: node, min, max }: Extract<Node, { kind: "times" }>,
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
    case "row":
      return node.of.every(isNullable);
    case "either":
      return node.of.some(isNullable);
    case "times":
      return node.min === 0 || isNullable(node.of);
  }
}

/** The characters that a match can begin with. */
function firstOf(node: Node): Ranges {
  switch (node.kind) {
    case "set":
      return node.ranges;
    case "either":
      return node.of.flatMap(firstOf);
    case "times":
      return firstOf(node.of);
    case "row": {
      const end = node.of.findIndex((part) => !isNullable(part));
      const parts = end === -1 ? node.of : node.of.slice(0, end + 1);
      return parts.flatMap(firstOf);
    }
  }
}

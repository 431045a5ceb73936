import {
  MAX_PATHS,
  countPaths,
} from "../../runtime/server/routing/pattern-bounds.js";
import type { PatternNode } from "../../runtime/server/routing/pattern-syntax.js";
import { boundedPattern } from "../../runtime/server/routing/pattern.js";

/** Treatment of a pattern by validators. */
export type Verdict = "enforced" | "unanchored" | "unsafe";

/** Verdicts by pattern; documents repeat patterns, and mocks look one up for each value. */
const verdicts = new Map<string, Verdict>();

/** Maximum number of cached verdicts; documents have tens of patterns. */
const MAX_VERDICTS = 1_000;

/**
 * Returns whether validators enforce a pattern. It must be anchored at the start,
 * since others are more often hints than rules, and matching must take linear
 * time: each character determines the next state, but for a bounded number of
 * choices.
 */
export function judgePattern(source: string): Verdict {
  const known = verdicts.get(source);
  if (known !== undefined) return known;
  const verdict = judge(source);
  if (verdicts.size < MAX_VERDICTS) verdicts.set(source, verdict);
  return verdict;
}

function judge(source: string): Verdict {
  if (!source.startsWith("^")) return "unanchored";
  const piece = withoutAnchors(boundedPattern(source));
  if (piece === undefined) return "unsafe";
  return countPaths(piece) <= MAX_PATHS ? "enforced" : "unsafe";
}

/** Returns the piece between the anchors; undefined if it contains anchors. */
function withoutAnchors(
  piece: PatternNode | undefined,
): PatternNode | undefined {
  if (piece?.kind === "edge") return { kind: "sequence", of: [] };
  if (piece?.kind !== "sequence") return undefined;
  const last = piece.of.at(-1)!;
  const end = last.kind === "edge" && last.atEnd ? -1 : undefined;
  const row = { kind: "sequence", of: piece.of.slice(1, end) } as const;
  return hasEdge(row) ? undefined : row;
}

function hasEdge(piece: PatternNode): boolean {
  switch (piece.kind) {
    case "set":
      return false;
    case "edge":
      return true;
    case "repeat":
      return hasEdge(piece.of);
    default:
      return piece.of.some(hasEdge);
  }
}

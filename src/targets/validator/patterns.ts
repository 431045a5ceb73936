import {
  MAX_PATHS,
  countPaths,
} from "../../runtime/server/routing/pattern-bounds.js";
import type { PatternNode } from "../../runtime/server/routing/pattern-syntax.js";
import { boundedPattern } from "../../runtime/server/routing/pattern.js";

/**
 * Decision on whether validators enforce a pattern. The decision includes the
 * reason if they do not.
 */
export type Verdict = "enforced" | "unanchored" | "unsafe";

/**
 * Cached results of `judgePattern`, keyed by pattern. The same pattern often
 * occurs several times in a document, and mock servers call the function for
 * each value.
 */
const verdicts = new Map<string, Verdict>();

/**
 * Maximum number of patterns in the cache. A document typically contains only
 * tens of different patterns.
 */
const MAX_VERDICTS = 1_000;

/**
 * Decides whether validators enforce a pattern. They enforce a pattern only if
 * it is anchored at the start and can be matched in linear time. Patterns that
 * are not anchored are often only hints. Matching is linear if each character
 * determines the next state, except for a bounded number of choices.
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

/**
 * Returns the part of a pattern between its anchors; undefined if that part
 * contains another anchor.
 */
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

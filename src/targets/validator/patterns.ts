import {
  MAX_PATHS,
  countPaths,
} from "../../runtime/server/routing/pattern-bounds.js";
import type { PatternNode } from "../../runtime/server/routing/pattern-syntax.js";
import { boundedPattern } from "../../runtime/server/routing/pattern.js";

/**
 * Decision whether validators enforce a pattern, and the reason if they do not.
 */
export type Verdict = "enforced" | "unanchored" | "unsafe";

/**
 * Cached decisions by pattern. Documents repeat patterns, and mock servers look
 * up a pattern for each value.
 */
const verdicts = new Map<string, Verdict>();

/**
 * Maximum number of cached decisions. A document contains tens of different
 * patterns.
 */
const MAX_VERDICTS = 1_000;

/**
 * Decides whether validators enforce a pattern. The pattern must be anchored at
 * the start, because other patterns are often only hints. Matching must take
 * linear time: except for a bounded number of choices, each character must
 * determine the next state.
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
 * Returns the part of a pattern between its anchors; undefined if this part
 * contains further anchors.
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

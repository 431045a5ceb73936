import {
  MAX_PATHS,
  countPaths,
} from "../../runtime/server/routing/pattern-bounds.js";
import type { PatternNode } from "../../runtime/server/routing/pattern-syntax.js";
import { boundedPattern } from "../../runtime/server/routing/pattern.js";

/** How a pattern is treated. */
export type Verdict = "enforced" | "unanchored" | "unsafe";

/** Verdicts by pattern: a document repeats its patterns, and mocks ask for each value. */
const verdicts = new Map<string, Verdict>();

/** Verdicts that are cached; documents have tens of patterns. */
const MAX_VERDICTS = 1_000;

/**
 * Whether a pattern can be enforced: it says where it starts (others are hints
 * more often than rules), and matching it takes time in proportion to the
 * text. That is so where each character decides which way to go, but for a
 * bounded number of choices.
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

/** The piece between the edges; undefined if there are edges within, too. */
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

import type { Sink } from "../../diagnostics/sink.js";
import { loadWithPackage } from "../../platform/optional-package.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { isUsed, SEVERITIES } from "../severity.js";
import { sideOf, type Side } from "../side.js";
import type { Analysis, LocatedError } from "./analysis.js";
import { sortedPositions } from "./positions.js";
import type { UsePosition, UserCode } from "./types.js";

/**
 * Adds the positions in the user's code that changes affect (`usedAt`). Changes
 * with positions come first. The code is read with the clients and servers of
 * the old documents, which it was written for.
 * @throws MissingPackageError if ts-morph is not installed
 */
export async function addUses(
  comparisons: readonly Comparison[],
  code: UserCode,
  sink: Sink,
  trustProse = false,
): Promise<readonly Comparison[]> {
  const sides = new Map(
    comparisons.flatMap(({ old, result }): [string, Side][] =>
      old === undefined || result.changes.length === 0
        ? []
        : [[result.api, sideOf(old.document, trustProse)]],
    ),
  );
  const next = new Map(
    comparisons.flatMap(({ new: now, result }) => {
      const side = sides.get(result.api);
      return side === undefined
        ? []
        : [[side, now && sideOf(now.document, trustProse)] as const];
    }),
  );
  const { uses, errors } = await analyseCode(
    [...sides.values()],
    code,
    sink,
    next,
  );
  const { UseMatcher } = await import("./match-uses.js");
  const used = comparisons.map((comparison): Comparison => {
    const { result } = comparison;
    const side = sides.get(result.api);
    const matcher = side && new UseMatcher(side, uses.get(result.api) ?? []);
    const changes = result.changes.map((change): LocatedChange => ({
      ...change,
      usedAt: matcher?.of(change) ?? [],
    }));
    return { ...comparison, result: { ...result, changes } };
  });
  return withErrors(used, errors, sink).map((comparison) => {
    const { result } = comparison;
    const changes = usedFirst(result.changes);
    return { ...comparison, result: { ...result, changes } };
  });
}

/**
 * Adds the positions of the errors that the compiler finds with the new
 * generated code to the changes that cause them. Reports errors without a known
 * cause.
 */
function withErrors(
  comparisons: readonly Comparison[],
  errors: readonly LocatedError[],
  sink: Sink,
): readonly Comparison[] {
  const positions = new Map<LocatedChange, UsePosition[]>();
  const all = comparisons.flatMap(({ result }) => result.changes);
  const used = all.filter(isUsed);
  for (const { at, message, causes } of errors) {
    const found = causesIn(used, causes);
    for (const change of found)
      positions.set(change, [...(positions.get(change) ?? []), at]);
    if (found.length === 0)
      sink.report(
        "uses-unexplained",
        `${at.file}:${at.line}:${at.column} does not compile with the new code, but no change explains why: ${message}`,
      );
  }
  return comparisons.map((comparison): Comparison => {
    const changes = comparison.result.changes.map((change): LocatedChange => {
      const added = positions.get(change);
      return added === undefined
        ? change
        : { ...change, usedAt: sortedPositions([...change.usedAt!, ...added]) };
    });
    return { ...comparison, result: { ...comparison.result, changes } };
  });
}

/** Returns the most severe changes that are used closest to an error. */
function causesIn(
  changes: readonly LocatedChange[],
  causes: LocatedError["causes"],
): readonly LocatedChange[] {
  // Changes of other audiences and accepted changes have the severity info.
  for (const severity of SEVERITIES)
    for (const isCause of causes) {
      const found = changes.filter(
        ({ types, usedAt }) => types === severity && usedAt!.some(isCause),
      );
      if (found.length > 0) return found;
    }
  return [];
}

/**
 * Determines which parts of documents the user's code uses. Reports globs that
 * match no file.
 * @throws MissingPackageError if ts-morph is not installed
 */
export async function analyseCode(
  sides: readonly Side[],
  code: UserCode,
  sink: Sink,
  next?: ReadonlyMap<Side, Side | undefined>,
): Promise<Analysis> {
  const { loadPrinter } = await import("./generated-code.js");
  const { analyse } = await loadWithPackage(
    "ts-morph",
    "--uses",
    () => import("./analysis.js"),
  );
  const analysis = analyse(sides, code, await loadPrinter(), next);
  if (analysis.files === 0)
    sink.report(
      "uses-no-files",
      `no TypeScript or JavaScript file matches ${code.patterns.map((one) => JSON.stringify(one)).join(", ")}`,
    );
  else if (sides.length > 0 && analysis.uses.size === 0)
    sink.report(
      "uses-nothing",
      `the ${analysis.files} files of --uses import no generated code of ${sides.map(({ api }) => `${api.name}:${api.version}`).join(", ")}`,
    );
  return analysis;
}

/** Returns changes with those first that affect the user's code. */
function usedFirst(
  changes: readonly LocatedChange[],
): readonly LocatedChange[] {
  return [
    ...changes.filter(isUsed),
    ...changes.filter((change) => !isUsed(change)),
  ];
}

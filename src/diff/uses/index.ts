import type { Sink } from "../../diagnostics/sink.js";
import { loadWithPackage } from "../../platform/optional-package.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { isUsed } from "../severity.js";
import { sideOf, type Side } from "../side.js";
import type { Analysis } from "./analysis.js";
import type { UserCode } from "./types.js";

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
  const { uses } = await analyseCode([...sides.values()], code, sink);
  const { UseMatcher } = await import("./match-uses.js");
  return comparisons.map((comparison): Comparison => {
    const { result } = comparison;
    const side = sides.get(result.api);
    const matcher = side && new UseMatcher(side, uses.get(result.api) ?? []);
    const changes = result.changes.map((change): LocatedChange => ({
      ...change,
      usedAt: matcher?.of(change) ?? [],
    }));
    return {
      ...comparison,
      result: { ...result, changes: usedFirst(changes) },
    };
  });
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
): Promise<Analysis> {
  const { loadPrinter } = await import("./generated-code.js");
  const { analyse } = await loadWithPackage(
    "ts-morph",
    "--uses",
    () => import("./analysis.js"),
  );
  const analysis = analyse(sides, code, await loadPrinter());
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

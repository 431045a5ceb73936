import { visibleJson } from "../../diagnostics/reporters/output.js";
import type { Comparison, LocatedChange } from "../compare.js";
import type { Rule } from "../rule.js";
import { rules } from "../rules/index.js";
import { worstOf } from "../severity.js";
import type { Severity } from "../types.js";

const LEVELS: Readonly<Record<Severity, string>> = {
  breaking: "error",
  warning: "warning",
  info: "note",
};

/** Formats changes as SARIF 2.1.0 for code scanning tools. */
export function sarifReport(
  comparisons: readonly Comparison[],
  version: string,
): string {
  const byId = new Map(
    (rules as readonly Rule[]).map((rule) => [rule.id, rule]),
  );
  const ids = [...byId.keys()];
  const driver = {
    name: "gen diff",
    version,
    rules: [...byId].map(([id, { summary, reason }]) => ({
      id,
      shortDescription: { text: summary },
      ...(reason === undefined ? {} : { help: { text: reason } }),
    })),
  };
  const results = comparisons.flatMap((comparison) =>
    comparison.result.changes.map((change) =>
      resultOf(change, comparison, ids.indexOf(change.rule)),
    ),
  );
  return `${visibleJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  })}\n`;
}

function resultOf(
  change: LocatedChange,
  { old, new: now }: Comparison,
  ruleIndex: number,
): object {
  const { rule, message, pointer, fingerprint, newPosition } = change;
  const { client, server, types } = change;
  const { file } = (now ?? old)!;
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[worstOf(change)],
    message: { text: message },
    partialFingerprints: { "genDiff/v1": fingerprint },
    properties: { client, server, types },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: {
            startLine: newPosition?.line ?? 1,
            startColumn: newPosition?.column ?? 1,
          },
        },
        logicalLocations: [{ fullyQualifiedName: pointer }],
      },
    ],
  };
}

/**
 * Returns the URI reference of a file: relative paths remain relative, so that
 * services resolve them in the repository.
 */
function uriOf(file: string): string {
  const path = file.split(/[\\/]/).map(encodeURIComponent).join("/");
  return file.startsWith("/") ? `file://${path}` : path;
}

import {
  sarifLog,
  type SarifFinding,
  type SarifRule,
} from "../../diagnostics/reporters/sarif.js";
import type { Severity as DiagnosticSeverity } from "../../diagnostics/types.js";
import type { Comparison, LocatedChange } from "../compare.js";
import type { Rule } from "../rule.js";
import { rules } from "../rules/index.js";
import { mostSevere, type Severity } from "../severity.js";

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  breaking: "error",
  warning: "warning",
  info: "info",
};

/** Formats changes as SARIF 2.1.0 for code scanning tools. */
export function sarifReport(
  comparisons: readonly Comparison[],
  version: string,
): string {
  const findings = comparisons.flatMap((comparison) =>
    comparison.result.changes.map((change) => findingOf(change, comparison)),
  );
  const sarifRules = new Map(
    (rules as readonly Rule[]).map((rule) => [rule.id, ruleOf(rule)]),
  );
  return sarifLog(findings, {
    name: "gen diff",
    version,
    rules: [...sarifRules.values()],
  });
}

function ruleOf({ id, summary, reason }: Rule): SarifRule {
  return {
    id,
    title: summary,
    ...(reason === undefined ? {} : { help: reason }),
  };
}

function findingOf(
  change: LocatedChange,
  { old, new: now }: Comparison,
): SarifFinding {
  const { rule, message, pointer, fingerprint, newPosition } = change;
  const { client, server, types } = change;
  return {
    code: rule,
    severity: SEVERITIES[mostSevere(change)],
    message,
    file: (now ?? old)!.file,
    line: newPosition?.line ?? 1,
    column: newPosition?.column ?? 1,
    pointer,
    fingerprints: { "genDiff/v1": fingerprint },
    properties: { client, server, types },
  };
}

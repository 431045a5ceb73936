import type { Severity } from "../diagnostics/types.js";
import type { DocumentPath } from "../model/build/context.js";
import type { DocumentView } from "./document-view.js";

/** Function with which a rule reports a finding. */
export type ReportFinding = (
  message: string,
  at: DocumentPath | undefined,
) => void;

/**
 * Rule about descriptions. `docs/validate-rules.md` contains its cause and fix.
 */
export interface Rule {
  /** Code of the findings, `<area>-<problem>`. Ids do not change. */
  readonly id: string;
  readonly severity: Severity;
  /** Sentence that states the problem and its effect. */
  readonly cause: string;
  /** Imperative that resolves the problem. */
  readonly fix: string;
  check(view: DocumentView, report: ReportFinding): void;
}

/** Severity of a rule as a user sets it; `off` disables the rule. */
export type RuleLevel = Severity | "off";

/** Levels in the order of `--help`. */
export const RULE_LEVELS: readonly RuleLevel[] = [
  "off",
  "info",
  "warning",
  "error",
];

/**
 * Levels by the id of a rule or the code of a diagnostic, as in the section
 * `validate.rules` of a config file.
 */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

/** Section `validate` of a config file. */
export interface ValidateSection {
  readonly rules?: RuleLevels;
}

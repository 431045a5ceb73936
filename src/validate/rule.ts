import type { Severity } from "../diagnostics/types.js";
import type { DocumentPath } from "../model/build/context.js";
import type { DocumentView } from "./document-view.js";

/** Function with which a rule reports a finding. */
export type ReportFinding = (
  message: string,
  at: DocumentPath | undefined,
) => void;

/**
 * Rule that checks API descriptions. Its cause and fix are printed in
 * `docs/validate-rules.md`.
 */
export interface Rule {
  /**
   * Code of the rule's findings, `<area>-<problem>`. It does not change between
   * releases.
   */
  readonly id: string;
  readonly severity: Severity;
  /** Sentence that describes the problem and its effect. */
  readonly cause: string;
  /** Instruction for fixing the problem, in the imperative. */
  readonly fix: string;
  check(view: DocumentView, report: ReportFinding): void;
}

/** Severity that a user sets for a rule; `off` disables the rule. */
export type RuleLevel = Severity | "off";

/** Severities that users can set, in the order of `--help`. */
export const RULE_LEVELS: readonly RuleLevel[] = [
  "off",
  "info",
  "warning",
  "error",
];

/**
 * Severities, keyed by rule id or diagnostic code, as in the section
 * `validate.rules` of a config file.
 */
export type RuleLevels = Readonly<Record<string, RuleLevel>>;

/** Section `validate` of a config file. */
export interface ValidateSection {
  readonly rules?: RuleLevels;
}

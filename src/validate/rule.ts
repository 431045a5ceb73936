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

/** Maximum number of names that a message lists. */
const MAX_NAMES = 5;

/** Maximum length of a quoted value in a message. */
const MAX_TEXT = 120;

/** Formats a list of names for a message: `(a, b, c, d, e, …)`. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ", …" : "";
  return `(${names.slice(0, MAX_NAMES).map(shortened).join(", ")}${more})`;
}

/** Quotes a value for a message, truncated to 120 characters. */
export function quoted(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "undefined");
}

/**
 * Tests whether a value is a string that contains characters other than white
 * space.
 */
export function hasText(text: unknown): boolean {
  return typeof text === "string" && /\S/.test(text);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

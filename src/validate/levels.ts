import { catalogue } from "../diagnostics/catalogue.js";
import { suggestion } from "../diagnostics/closest.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { RULE_LEVELS, type RuleLevel, type RuleLevels } from "./rule.js";
import { rules } from "./rules/index.js";

/**
 * Names in settings: ids of rules, and codes of diagnostics whose severity can
 * be changed.
 */
const NAMES: readonly string[] = [
  ...rules.map(({ id }) => id),
  ...Object.entries(catalogue)
    .filter(([, { severity }]) => severity !== "error")
    .map(([code]) => code),
];

/**
 * Returns the error message for a setting such as `url-insecure: "off"`;
 * undefined if the setting is valid. The severity of errors in the catalogue
 * can't be changed, because a document with such an error can't be used.
 */
export function levelProblem(name: string, level: unknown): string | undefined {
  if (!NAMES.includes(name))
    return Object.hasOwn(catalogue, name)
      ? `the level of ${name} can't be changed, because a document with this error can't be used`
      : `unknown rule ${JSON.stringify(name)}${suggestion(name, NAMES)}`;
  const levels: readonly unknown[] = RULE_LEVELS;
  return levels.includes(level)
    ? undefined
    : `the level of ${name} must be one of ${RULE_LEVELS.join(", ")}, found ${JSON.stringify(level)}`;
}

/**
 * Parses settings of the form `name=level`. Returns the severities, or the
 * error message for the first invalid setting.
 */
export function parseLevels(
  settings: readonly string[],
): { readonly levels: RuleLevels } | { readonly problem: string } {
  const levels = new Map<string, RuleLevel>();
  for (const setting of settings) {
    const [name = "", level] = setting.split(/=(.*)/s);
    const problem =
      level === undefined
        ? `a rule setting must have the form <rule>=<level>, found ${JSON.stringify(setting)}`
        : levelProblem(name, level);
    if (problem !== undefined) return { problem };
    levels.set(name, level as RuleLevel);
  }
  return { levels: Object.fromEntries(levels) };
}

/**
 * Applies configured severities to findings, and removes the findings of
 * disabled rules.
 */
export function applyLevels(
  findings: readonly Diagnostic[],
  levels: RuleLevels,
): Diagnostic[] {
  return findings.flatMap((finding) => {
    const level = Object.hasOwn(levels, finding.code)
      ? levels[finding.code]!
      : finding.severity;
    return level === "off" ? [] : [{ ...finding, severity: level }];
  });
}

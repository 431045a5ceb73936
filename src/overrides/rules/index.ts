import type { CrossFieldRule } from "../schema/table.js";
import {
  checkAlternatives,
  checkMaximum,
  checkMoved,
  checkNeeds,
  checkOrdered,
  checkRedundant,
  checkSame,
  checkTogether,
  checkUnique,
} from "./relation-rules.js";
import {
  checkMultiple,
  checkProduction,
  checkTemporary,
} from "./cross-field-rules.js";
import type { RuleContext } from "./rule-context.js";

type Checks = {
  readonly [Name in CrossFieldRule["rule"]]: (
    context: RuleContext,
    rule: Extract<CrossFieldRule, { rule: Name }>,
  ) => void;
};

/** Check functions, keyed by kind of cross-field rule. */
const checks: Checks = {
  alternatives: checkAlternatives,
  together: checkTogether,
  needs: checkNeeds,
  ordered: checkOrdered,
  unique: checkUnique,
  same: checkSame,
  multiple: checkMultiple,
  most: checkMaximum,
  temporary: checkTemporary,
  moved: checkMoved,
  redundant: checkRedundant,
  production: checkProduction,
};

export function checkRule(context: RuleContext, rule: CrossFieldRule): void {
  const check = checks[rule.rule] as (
    context: RuleContext,
    rule: CrossFieldRule,
  ) => void;
  check(context, rule);
}

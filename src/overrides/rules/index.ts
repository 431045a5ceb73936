import type { CrossRule } from "../schema/table.js";
import { checkAlternatives } from "./alternatives.js";
import {
  checkMultiple,
  checkProduction,
  checkTemporary,
} from "./cross-field-rules.js";
import type { Context } from "./context.js";
import {
  checkMost,
  checkMoved,
  checkNeeds,
  checkOrdered,
  checkRedundant,
  checkSame,
  checkTogether,
  checkUnique,
} from "./relation-rules.js";

type Checks = {
  readonly [Name in CrossRule["rule"]]: (
    context: Context,
    rule: Extract<CrossRule, { rule: Name }>,
  ) => void;
};

/** How each kind of rule of the table is checked. A further kind is a row here. */
const checks: Checks = {
  alternatives: checkAlternatives,
  together: checkTogether,
  needs: checkNeeds,
  ordered: checkOrdered,
  unique: checkUnique,
  same: checkSame,
  multiple: checkMultiple,
  most: checkMost,
  temporary: checkTemporary,
  moved: checkMoved,
  redundant: checkRedundant,
  production: checkProduction,
};

/** Checks one rule about several properties. */
export function checkRule(context: Context, rule: CrossRule): void {
  const check = checks[rule.rule] as (
    context: Context,
    rule: CrossRule,
  ) => void;
  check(context, rule);
}

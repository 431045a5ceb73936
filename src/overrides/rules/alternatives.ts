import type { CrossFieldRule } from "../schema/table.js";
import { hasValue, isConditionMet, requireValue } from "./conditions.js";
import {
  joinPaths,
  type RuleContext,
  type PropertyInstance,
} from "./rule-context.js";

type Rule = Extract<CrossFieldRule, { rule: "alternatives" }>;

/**
 * Checks that at most one of several groups of keys is set, or exactly one if
 * the rule requires a group. All keys of that group must be set.
 */
export function checkAlternatives(context: RuleContext, rule: Rule): void {
  for (const owner of context.instances(rule.at)) {
    if (owner.node.kind !== "map") continue;
    if (rule.when !== undefined && !isConditionMet(context, owner, rule.when))
      continue;
    checkOwner(context, rule, owner);
  }
}

function checkOwner(
  context: RuleContext,
  rule: Rule,
  owner: PropertyInstance,
): void {
  const presentGroups = rule.groups.filter((group) =>
    group.some((key) => hasMember(context, owner, key)),
  );
  const [first, second] = presentGroups;
  if (first === undefined) return reportNoAlternative(context, rule, owner);
  if (second !== undefined && rule.shared !== true) {
    const key = second.find((name) => hasMember(context, owner, name))!;
    const instance = context.member(owner, key)!;
    return context.report(
      rule.code,
      instance.keyRange,
      instance.path,
      `${key} and ${first.join(" with ")} can't be used together`,
      { suggestion: `keep one of the alternatives, and remove the others` },
    );
  }
  if (rule.shared !== true) reportIncomplete(context, rule, owner, first);
}

function hasMember(
  context: RuleContext,
  owner: PropertyInstance,
  key: string,
): boolean {
  return hasValue(context.member(owner, key));
}

function reportNoAlternative(
  context: RuleContext,
  rule: Rule,
  owner: PropertyInstance,
): void {
  if (rule.required !== true) return;
  if (
    rule.unless?.some((path) => hasValue(context.properties.get(path))) === true
  )
    return;
  const keys = rule.groups.flat();
  for (const key of keys) requireValue(context, owner, key);
  if (keys.some((key) => context.isReported(joinPaths(owner.path, key))))
    return;
  const key = rule.groups[0]![0]!;
  context.report(
    rule.code,
    context.nearestRange(owner.path, key),
    joinPaths(owner.path, key),
    `${owner.path} has no ${rule.what}`,
    {
      suggestion: `add ${rule.groups.map((group) => group.join(" and ")).join(", or ")}`,
    },
  );
}

/**
 * Reports a group in which a key is missing, such as a certificate without its
 * private key.
 */
function reportIncomplete(
  context: RuleContext,
  rule: Rule,
  owner: PropertyInstance,
  group: readonly string[],
): void {
  const absent = group.filter((key) => !hasMember(context, owner, key));
  for (const key of absent) {
    const path = joinPaths(owner.path, key);
    requireValue(context, owner, key);
    if (context.isReported(path)) continue;
    const present = group.find((other) => hasMember(context, owner, other))!;
    context.report(
      rule.code,
      context.member(owner, present)!.keyRange,
      path,
      `${present} requires ${key}`,
      { suggestion: `add ${key}` },
    );
  }
}

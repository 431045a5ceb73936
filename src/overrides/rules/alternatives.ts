import type { CrossRule } from "../schema/table.js";
import { hasValue, holds, requireValue } from "./conditions.js";
import { join, type Context, type Found } from "./context.js";

type Rule = Extract<CrossRule, { rule: "alternatives" }>;

/** One of several ways to say something: exactly one, or at most one, and that one whole. */
export function checkAlternatives(context: Context, rule: Rule): void {
  for (const owner of context.instances(rule.at)) {
    if (owner.node.kind !== "map") continue;
    if (rule.when !== undefined && !holds(context, owner, rule.when)) continue;
    checkOne(context, rule, owner);
  }
}

function checkOne(context: Context, rule: Rule, owner: Found): void {
  const begun = rule.groups.filter((group) =>
    group.some((key) => isThere(context, owner, key)),
  );
  const [first, second] = begun;
  if (first === undefined) return reportNone(context, rule, owner);
  if (second !== undefined && rule.shared !== true) {
    const key = second.find((name) => isThere(context, owner, name))!;
    const found = context.below(owner, key)!;
    return context.report(
      rule.code,
      found.keyRange,
      found.path,
      `${key} and ${first.join(" with ")} say the same in two ways`,
      { suggestion: `keep one of them` },
    );
  }
  if (rule.shared !== true) reportHalf(context, rule, owner, first);
}

function isThere(context: Context, owner: Found, key: string): boolean {
  return hasValue(context.below(owner, key));
}

function reportNone(context: Context, rule: Rule, owner: Found): void {
  if (rule.required !== true) return;
  if (rule.unless?.some((path) => hasValue(context.found.get(path))) === true)
    return;
  const keys = rule.groups.flat();
  for (const key of keys) requireValue(context, owner, key);
  if (keys.some((key) => context.isExplained(join(owner.path, key)))) return;
  const key = rule.groups[0]![0]!;
  context.report(
    rule.code,
    context.nearest(owner.path, key),
    join(owner.path, key),
    `${owner.path} has no ${rule.what}`,
    {
      suggestion: `add ${rule.groups.map((group) => group.join(" and ")).join(", or ")}`,
    },
  );
}

/** A certificate without its key. */
function reportHalf(
  context: Context,
  rule: Rule,
  owner: Found,
  group: readonly string[],
): void {
  const absent = group.filter((key) => !isThere(context, owner, key));
  for (const key of absent) {
    const place = join(owner.path, key);
    requireValue(context, owner, key);
    if (context.isExplained(place)) continue;
    const present = group.find((other) => isThere(context, owner, other))!;
    context.report(
      rule.code,
      context.below(owner, present)!.keyRange,
      place,
      `${present} stands without ${key}`,
      { suggestion: `add ${key}` },
    );
  }
}

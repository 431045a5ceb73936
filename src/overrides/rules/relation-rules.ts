import { isNull } from "../document/tree.js";
import { displayText } from "../display-text.js";
import type { CrossFieldRule } from "../schema/table.js";
import {
  hasValue,
  isConditionMet,
  requireValue,
  scalarAt,
} from "./conditions.js";
import {
  joinPaths,
  type RuleContext,
  type PropertyInstance,
} from "./rule-context.js";
import { parseQuantity } from "./quantity.js";

type Rule<Name> = Extract<CrossFieldRule, { rule: Name }>;

/**
 * Reports keys that are missing although another key of the same group is set.
 */
export function checkTogether(
  context: RuleContext,
  { at, keys, code }: Rule<"together">,
): void {
  for (const owner of context.instances(at)) {
    const present = keys.filter((key) => hasMember(context, owner, key));
    if (present.length === 0) continue;
    for (const key of keys)
      if (!present.includes(key))
        reportMissingKey(
          context,
          code,
          owner,
          key,
          `${present[0]} requires ${key}`,
        );
  }
}

/**
 * Reports missing keys that are required because another key has a certain
 * value.
 */
export function checkNeeds(
  context: RuleContext,
  { at, keys, when, code }: Rule<"needs">,
): void {
  for (const owner of context.instances(at)) {
    if (owner.node.kind !== "map" || !isConditionMet(context, owner, when))
      continue;
    for (const key of keys)
      if (!hasMember(context, owner, key))
        reportMissingKey(
          context,
          code,
          owner,
          key,
          `${owner.path} requires ${key}, because ${conditionText(when)}`,
        );
  }
}

function conditionText(
  when: Readonly<Record<string, string | boolean>>,
): string {
  return Object.entries(when)
    .map(([key, value]) =>
      value === "*" ? `${key} is set` : `${key} is ${value}`,
    )
    .join(" and ");
}

function hasMember(
  context: RuleContext,
  owner: PropertyInstance,
  key: string,
): boolean {
  return hasValue(context.member(owner, key));
}

function reportMissingKey(
  context: RuleContext,
  code: string,
  owner: PropertyInstance,
  key: string,
  message: string,
): void {
  const path = joinPaths(owner.path, key);
  requireValue(context, owner, key);
  if (context.isReported(path)) return;
  context.report(code, context.nearestRange(owner.path, key), path, message, {
    suggestion: `add ${key}`,
  });
}

/** Checks that a minimum does not exceed the maximum. */
export function checkOrdered(
  context: RuleContext,
  rule: Rule<"ordered">,
): void {
  const { at, code } = rule;
  for (const owner of context.instances(at)) {
    const low = scalarAt(context, joinPaths(owner.path, rule.low));
    const high = scalarAt(context, joinPaths(owner.path, rule.high));
    if (low === undefined || high === undefined) continue;
    const [a, b] = [low, high].map(({ node }) =>
      rule.scale === "number" ? Number(node.value) : parseQuantity(node.text),
    ) as [number, number];
    const isWrong = rule.strict === true ? a >= b : a > b;
    if (!isWrong) continue;
    context.report(
      code,
      low.node.range,
      low.path,
      `${rule.low} ${displayText(low.node.text)} is ${a === b ? "not less" : "more"} than ${rule.high} ${displayText(high.node.text)}`,
      {
        suggestion: `see line ${context.lines.positionOf(high.node.range.start).line}`,
      },
    );
  }
}

/** Checks that list elements have unique names. */
export function checkUnique(
  context: RuleContext,
  { list, key, code, what }: Rule<"unique">,
): void {
  const seen = new Map<string, PropertyInstance>();
  for (const owner of context.instances(list)) {
    const name = scalarAt(context, joinPaths(owner.path, key));
    if (name === undefined) continue;
    const first = seen.get(name.node.text);
    if (first === undefined) seen.set(name.node.text, name);
    else {
      const { line } = context.lines.positionOf(first.node.range.start);
      context.report(
        code,
        name.node.range,
        name.path,
        `duplicate ${what} ${JSON.stringify(displayText(name.node.text))}, first on line ${line}`,
        { suggestion: "use unique names" },
      );
    }
  }
}

/** Reports two properties whose values should be equal but differ. */
export function checkSame(
  context: RuleContext,
  { keys, code }: Rule<"same">,
): void {
  const [first, second] = keys.map((path) => scalarAt(context, path));
  if (first === undefined || second === undefined) return;
  if (first.node.text === second.node.text) return;
  context.report(
    code,
    first.node.range,
    first.path,
    `${keys[0]} differs from ${keys[1]}`,
    {
      suggestion:
        "use the same account for both keys, or bind the role of the connect agent to both accounts",
    },
  );
}

/**
 * Reports a replica count that exceeds the maximum supported for a component.
 */
export function checkMaximum(
  context: RuleContext,
  { key, most, code }: Rule<"most">,
): void {
  const instance = scalarAt(context, key);
  if (instance === undefined || Number(instance.node.value) <= most) return;
  context.report(
    code,
    instance.node.range,
    instance.path,
    `${displayText(instance.node.text)} replicas are configured, but the component is designed for at most ${most}`,
    { severity: "warning" },
  );
}

/**
 * Reports a redundant property, whose value equals its default. The default is
 * the value of another property.
 */
export function checkRedundant(
  context: RuleContext,
  { key, same, code }: Rule<"redundant">,
): void {
  const instance = scalarAt(context, key);
  const second = scalarAt(context, same);
  if (instance === undefined || second?.node.text !== instance.node.text)
    return;
  context.report(
    code,
    instance.keyRange,
    instance.path,
    `${key} repeats its default, which is the value of ${same}`,
    {
      severity: "info",
      suggestion: "remove it",
    },
  );
}

/**
 * Reports a flat key of version 1.1 whose value differs from the value of the
 * key that replaces it.
 */
export function checkMoved(
  context: RuleContext,
  { flat, key, code }: Rule<"moved">,
): void {
  const old = context.removedProperties.get(flat);
  const now = context.properties.get(key);
  if (old?.node.kind !== "scalar" || now?.node.kind !== "scalar") return;
  if (isNull(now.node) || old.node.text === now.node.text) return;
  const { line } = context.lines.positionOf(now.keyRange.start);
  const index = context.findings.findIndex(
    ({ offset, code: reported }) =>
      offset === old.keyRange.start &&
      (reported === "T08" || reported === "T06"),
  );
  if (index >= 0) context.findings.splice(index, 1);
  context.report(
    code,
    old.keyRange,
    old.path,
    `${flat} and ${key} (line ${line}) have different values`,
    { suggestion: `keep the correct value in ${key}, and remove ${flat}` },
  );
}

import { isNull, isBlank, type ScalarNode } from "../document/tree.js";
import { displayText } from "../display-text.js";
import type { CrossFieldRule, RuleCondition } from "../schema/table.js";
import {
  joinPaths,
  type RuleContext,
  type PropertyInstance,
} from "./rule-context.js";
import { parseQuantity, isPlaceholder } from "./values.js";
import { propertyIndex } from "../schema/property-index.js";

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

type AlternativesRule = Extract<CrossFieldRule, { rule: "alternatives" }>;

/**
 * Checks that at most one of several groups of keys is set, or exactly one if
 * the rule requires a group. All keys of that group must be set.
 */
export function checkAlternatives(
  context: RuleContext,
  rule: AlternativesRule,
): void {
  for (const owner of context.instances(rule.at)) {
    if (owner.node.kind !== "map") continue;
    if (rule.when !== undefined && !isConditionMet(context, owner, rule.when))
      continue;
    checkOwner(context, rule, owner);
  }
}

function checkOwner(
  context: RuleContext,
  rule: AlternativesRule,
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

function reportNoAlternative(
  context: RuleContext,
  rule: AlternativesRule,
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
  rule: AlternativesRule,
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

/**
 * Returns the scalar at a path; undefined if the scalar is missing, empty, or a
 * placeholder.
 */
export function scalarAt(
  context: RuleContext,
  path: string,
): (PropertyInstance & { readonly node: ScalarNode }) | undefined {
  const instance = context.properties.get(path);
  if (instance?.node.kind !== "scalar" || !hasValue(instance)) return undefined;
  if (isPlaceholder(instance.node, instance.property)) return undefined;
  return { ...instance, node: instance.node };
}

/**
 * Tests whether a block meets the condition of a rule. A missing property is
 * treated as if it had its default value.
 */
function isConditionMet(
  context: RuleContext,
  owner: PropertyInstance,
  when: RuleCondition,
): boolean {
  return Object.entries(when).every(([key, wanted]) => {
    const instance = context.properties.get(joinPaths(owner.path, key));
    if (wanted === "*") return instance !== undefined;
    const { row } = propertyIndex().byPath.get(
      joinPaths(owner.property.row.path, key),
    )!;
    const actual =
      instance?.node.kind === "scalar" && !isNull(instance.node)
        ? String(instance.node.value)
        : row.default;
    return actual === String(wanted);
  });
}

/**
 * Tests whether a property has a value. An empty string does not count as a
 * value.
 */
export function hasValue(instance: PropertyInstance | undefined): boolean {
  return (
    instance !== undefined && !isNull(instance.node) && !isBlank(instance.node)
  );
}

/**
 * Reports keys that are present but have no value: the key of the property
 * itself, and the keys of the blocks that enclose it.
 */
export function requireValue(
  context: RuleContext,
  owner: PropertyInstance,
  relative: string,
): void {
  const keys = relative.split(".");
  for (let length = keys.length; length > 0; length--) {
    const path = joinPaths(owner.path, keys.slice(0, length).join("."));
    const instance = context.properties.get(path);
    if (instance !== undefined && !hasValue(instance))
      context.requireValue(path);
  }
}

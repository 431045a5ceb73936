import type { FileCheck, PropertyInstance } from "./context.js";
import type { FileRule, RuleCondition } from "./definition.js";
import { joinPaths } from "./paths.js";
import { isBlank, isNull, type Node, type ScalarNode } from "./tree.js";
import { isAddressText, isPlaceholder, parseQuantity } from "./values.js";

type Rule<Name> = Extract<FileRule, { rule: Name }>;

type RuleChecks = {
  readonly [Name in FileRule["rule"]]: (
    file: FileCheck,
    rule: Rule<Name>,
  ) => void;
};

/** Check functions, keyed by kind of rule. */
const RULE_CHECKS: RuleChecks = {
  alternatives: checkAlternatives,
  together: checkTogether,
  needs: checkNeeds,
  ordered: checkOrdered,
  unique: checkUnique,
  same: checkSame,
  moved: checkMoved,
  redundant: checkRedundant,
  most: checkMost,
  multiple: checkMultiple,
  required: checkRequired,
  address: checkAddress,
  forbidden: checkForbidden,
  exclusive: checkExclusive,
  set: checkSet,
  first: checkFirst,
};

/** Applies a rule, if it applies in the mode and the phase of the check. */
export function checkRule(file: FileCheck, rule: FileRule): void {
  const { mode, phase = "" } = file.options;
  if (mode !== undefined && rule.modes?.[mode] === "off") return;
  if (rule.phases?.includes(phase) === false) return;
  const check = RULE_CHECKS[rule.rule] as (
    file: FileCheck,
    rule: FileRule,
  ) => void;
  check(file, rule);
}

/** Applies rules up to the first one that has a finding. */
function checkFirst(file: FileCheck, { rules }: Rule<"first">): void {
  const count = file.findings.length;
  for (const rule of rules) {
    checkRule(file, rule);
    if (file.findings.length > count) return;
  }
}

/**
 * Reports keys that are missing although another key of the same group is set.
 */
function checkTogether(file: FileCheck, rule: Rule<"together">): void {
  for (const owner of file.instances(rule.at)) {
    const present = rule.keys.filter((key) => hasMember(file, owner, key));
    if (present.length === 0) continue;
    for (const key of rule.keys)
      if (!present.includes(key))
        reportMissingKey(
          file,
          rule,
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
function checkNeeds(file: FileCheck, rule: Rule<"needs">): void {
  for (const owner of file.instances(rule.at)) {
    if (owner.node.kind !== "map" || !isConditionMet(file, owner, rule.when))
      continue;
    for (const key of rule.keys)
      if (!hasMember(file, owner, key))
        reportMissingKey(
          file,
          rule,
          owner,
          key,
          `${owner.path} requires ${key}, because ${conditionText(rule.when)}`,
        );
  }
}

function conditionText(when: RuleCondition): string {
  return when
    .map(({ key, is }) => (is === "*" ? `${key} is set` : `${key} is ${is}`))
    .join(" and ");
}

function hasMember(
  file: FileCheck,
  owner: PropertyInstance,
  key: string,
): boolean {
  return hasValue(file.member(owner, key));
}

function reportMissingKey(
  file: FileCheck,
  rule: FileRule,
  owner: PropertyInstance,
  key: string,
  message: string,
): void {
  const path = joinPaths(owner.path, key);
  requireValue(file, owner, key);
  if (file.isReported(path)) return;
  const range = file.nearestRange(owner.path, key);
  file.reportRule(rule, range, path, message, `add ${key}`);
}

/** Checks that a minimum does not exceed the maximum. */
function checkOrdered(file: FileCheck, rule: Rule<"ordered">): void {
  for (const owner of file.instances(rule.at)) {
    const low = scalarAt(file, joinPaths(owner.path, rule.low));
    const high = scalarAt(file, joinPaths(owner.path, rule.high));
    if (low === undefined || high === undefined) continue;
    const [a, b] = [low, high].map(({ node }) =>
      rule.scale === "number" ? Number(node.value) : parseQuantity(node.text),
    ) as [number, number];
    const isWrong = rule.strict === true ? a >= b : a > b;
    if (!isWrong) continue;
    file.reportRule(
      rule,
      low.node.range,
      low.path,
      `${rule.low} ${file.shown(low.node.text)} is ${a === b ? "not less" : "more"} than ${rule.high} ${file.shown(high.node.text)}`,
      `see ${locateValue(file, high)}`,
    );
  }
}

/** Returns the position of a value for messages. */
function locateValue(file: FileCheck, instance: PropertyInstance): string {
  return file.locate({ ...instance, keyRange: instance.node.range });
}

/** Checks that list elements have unique names. */
function checkUnique(file: FileCheck, rule: Rule<"unique">): void {
  const seen = new Map<string, PropertyInstance>();
  for (const owner of file.instances(rule.list)) {
    const name = scalarAt(file, joinPaths(owner.path, rule.key));
    if (name === undefined) continue;
    const first = seen.get(name.node.text);
    if (first === undefined) seen.set(name.node.text, name);
    else
      file.reportRule(
        rule,
        name.node.range,
        name.path,
        `duplicate ${rule.what} ${JSON.stringify(file.shown(name.node.text))}, first ${file.source === undefined ? "at" : "on"} ${locateValue(file, first)}`,
        "use unique names",
      );
  }
}

/** Reports two properties whose values should be equal but differ. */
function checkSame(file: FileCheck, rule: Rule<"same">): void {
  const { keys, suggestion } = rule;
  const [first, second] = keys.map((path) => scalarAt(file, path));
  if (first === undefined || second === undefined) return;
  if (first.node.text === second.node.text) return;
  file.reportRule(
    rule,
    first.node.range,
    first.path,
    `${keys[0]} differs from ${keys[1]}`,
    suggestion,
  );
}

/** Reports a number that exceeds a maximum. */
function checkMost(file: FileCheck, rule: Rule<"most">): void {
  const instance = scalarAt(file, rule.key);
  if (instance === undefined || Number(instance.node.value) <= rule.most)
    return;
  file.reportRule(
    rule,
    instance.node.range,
    instance.path,
    `${file.shown(instance.node.text)} ${rule.what}`,
  );
}

/**
 * Reports a redundant property, whose value equals its default. The default is
 * the value of another property.
 */
function checkRedundant(file: FileCheck, rule: Rule<"redundant">): void {
  const { key, same } = rule;
  const instance = scalarAt(file, key);
  const second = scalarAt(file, same);
  if (instance === undefined || second?.node.text !== instance.node.text)
    return;
  file.reportRule(
    rule,
    instance.keyRange,
    instance.path,
    `${key} repeats its default, which is the value of ${same}`,
    "remove it",
  );
}

/**
 * Reports a removed or deprecated property whose value differs from the value
 * of the property that replaces it. This finding replaces the one that the
 * property is removed or deprecated.
 */
function checkMoved(file: FileCheck, rule: Rule<"moved">): void {
  const { from, key } = rule;
  const old = file.removed.get(from);
  const now = file.found.get(key);
  if (old?.node.kind !== "scalar" || now?.node.kind !== "scalar") return;
  if (isNull(now.node) || old.node.text === now.node.text) return;
  const replaced = [file.codeOf("removed"), file.codeOf("deprecated")];
  const index = file.findings.findIndex(
    ({ path, range, code }) =>
      path === old.path &&
      range.start === old.keyRange.start &&
      replaced.includes(code),
  );
  if (index >= 0) file.findings.splice(index, 1);
  file.reportRule(
    rule,
    old.keyRange,
    old.path,
    `${from} and ${key} (${file.locate(now)}) have different values`,
    `keep the correct value in ${key}, and remove ${from}`,
  );
}

/**
 * Checks that at most one of several groups of keys is set, or exactly one if
 * the rule requires a group. All keys of that group must be set.
 */
function checkAlternatives(file: FileCheck, rule: Rule<"alternatives">): void {
  for (const owner of file.instances(rule.at)) {
    if (owner.node.kind !== "map") continue;
    if (rule.when !== undefined && !isConditionMet(file, owner, rule.when))
      continue;
    checkOwner(file, rule, owner);
  }
}

function checkOwner(
  file: FileCheck,
  rule: Rule<"alternatives">,
  owner: PropertyInstance,
): void {
  const presentGroups = rule.groups.filter((group) =>
    group.some((key) => hasMember(file, owner, key)),
  );
  const [first, second] = presentGroups;
  if (first === undefined) return reportNoAlternative(file, rule, owner);
  if (second !== undefined && rule.shared !== true) {
    const key = second.find((name) => hasMember(file, owner, name))!;
    const instance = file.member(owner, key)!;
    return file.reportRule(
      rule,
      instance.keyRange,
      instance.path,
      `${key} and ${first.join(" with ")} can't be used together`,
      "keep one of the alternatives, and remove the others",
    );
  }
  if (rule.shared !== true) reportIncomplete(file, rule, owner, first);
}

function reportNoAlternative(
  file: FileCheck,
  rule: Rule<"alternatives">,
  owner: PropertyInstance,
): void {
  if (rule.required !== true) return;
  if (rule.unless?.some((path) => hasValue(file.found.get(path))) === true)
    return;
  const keys = rule.groups.flat();
  for (const key of keys) requireValue(file, owner, key);
  if (keys.some((key) => file.isReported(joinPaths(owner.path, key)))) return;
  const key = rule.groups[0]![0]!;
  file.reportRule(
    rule,
    file.nearestRange(owner.path, key),
    joinPaths(owner.path, key),
    `${owner.path} has no ${rule.what}`,
    `add ${rule.groups.map((group) => group.join(" and ")).join(", or ")}`,
  );
}

/**
 * Reports a group in which a key is missing, such as a certificate without its
 * private key.
 */
function reportIncomplete(
  file: FileCheck,
  rule: Rule<"alternatives">,
  owner: PropertyInstance,
  group: readonly string[],
): void {
  for (const key of group) {
    if (hasMember(file, owner, key)) continue;
    const path = joinPaths(owner.path, key);
    requireValue(file, owner, key);
    if (file.isReported(path)) continue;
    const present = group.find((other) => hasMember(file, owner, other))!;
    file.reportRule(
      rule,
      file.member(owner, present)!.keyRange,
      path,
      `${present} requires ${key}`,
      `add ${key}`,
    );
  }
}

/** Reports a number that is not a positive multiple of the required number. */
function checkMultiple(file: FileCheck, rule: Rule<"multiple">): void {
  const { key, of, what } = rule;
  const instance = file.found.get(key);
  if (file.isReported(key)) return;
  if (instance !== undefined && scalarAt(file, key) === undefined) return;
  const fallback = file.properties.byPath.get(key)?.row.default;
  const value =
    instance?.node.kind === "scalar"
      ? Number(instance.node.value)
      : Number(fallback);
  if (Number.isNaN(value) || (value > 0 && value % of === 0)) return;
  file.reportRule(
    rule,
    instance === undefined ? file.nearestRange("", key) : instance.node.range,
    key,
    instance === undefined
      ? `${key} is missing and defaults to ${fallback}; ${what}`
      : `${value} is not a multiple of ${of}; ${what}`,
    `set ${key} to ${Math.max(of, Math.ceil(value / of) * of)}`,
  );
}

/** Reports a property that is missing. */
function checkRequired(file: FileCheck, rule: Rule<"required">): void {
  const { key, what, suggestion } = rule;
  if (isPresent(file, key) || file.isReported(key)) return;
  const message = what === undefined ? "" : `; ${what}`;
  const range = file.nearestRange("", key);
  file.reportRule(rule, range, key, `${key} is missing${message}`, suggestion);
}

/** Reports a property that is set, or that has a certain value. */
function checkForbidden(file: FileCheck, rule: Rule<"forbidden">): void {
  const { key, value, what, suggestion } = rule;
  const instance = file.found.get(key);
  if (instance === undefined || !isPresent(file, key)) return;
  if (rule.unreported === true && file.isReported(key)) return;
  if (value !== undefined) {
    if (scalarAt(file, key)?.node.value !== value) return;
    const message = `${key} is ${value}: ${what}`;
    file.reportRule(rule, instance.node.range, key, message, suggestion);
  } else
    file.reportRule(rule, instance.keyRange, key, `${key} ${what}`, suggestion);
}

/** Reports two properties that are both set. */
function checkExclusive(file: FileCheck, rule: Rule<"exclusive">): void {
  const [key = "", other = ""] = rule.keys;
  const instance = file.found.get(key);
  if (instance === undefined || !isPresent(file, key) || !file.found.has(other))
    return;
  const message = `${key} and ${other} are both set`;
  file.reportRule(rule, instance.keyRange, key, message, rule.suggestion);
}

/** Reports a value that is not an IP address. */
function checkAddress(file: FileCheck, rule: Rule<"address">): void {
  const { key, suggestion } = rule;
  const instance = scalarAt(file, key);
  if (instance === undefined || file.isReported(key)) return;
  if (isAddressText(instance.node.text)) return;
  const message = `${key} is not an IP address`;
  file.reportRule(rule, instance.keyRange, key, message, suggestion);
}

/** Reports properties of which at least one is not set. */
function checkSet(file: FileCheck, rule: Rule<"set">): void {
  const { keys, unless = [], what, why, suggestion } = rule;
  if (unless.some((path) => file.found.has(path))) return;
  const absent = keys.filter((key) => !file.found.has(key));
  const [key] = absent;
  if (key === undefined || absent.some((path) => file.isReported(path))) return;
  const message = `${what} such as ${key} are not set, so ${why}`;
  const range = file.nearestRange("", key);
  file.reportRule(rule, range, key, message, suggestion);
}

function isPresent(file: FileCheck, path: string): boolean {
  const instance = file.found.get(path);
  return instance !== undefined && !isNull(instance.node);
}

/**
 * Returns the scalar at a path; undefined if the scalar is missing, empty, or a
 * placeholder.
 */
function scalarAt(
  file: FileCheck,
  path: string,
): (PropertyInstance & { readonly node: ScalarNode }) | undefined {
  const instance = file.found.get(path);
  if (instance?.node.kind !== "scalar" || !hasValue(instance)) return undefined;
  if (isPlaceholder(instance.node, instance.property)) return undefined;
  return { ...instance, node: instance.node };
}

/**
 * Tests whether a block meets the condition of a rule. A missing property is
 * treated as if it had its default value.
 */
function isConditionMet(
  file: FileCheck,
  owner: PropertyInstance,
  when: RuleCondition,
): boolean {
  return when.every(({ key, is: wanted }) => {
    const instance = file.found.get(joinPaths(owner.path, key));
    if (wanted === "*") return instance !== undefined;
    const path = joinPaths(owner.property.row.path, key);
    const actual =
      instance?.node.kind === "scalar" && !isNull(instance.node)
        ? String(instance.node.value)
        : file.properties.byPath.get(path)?.row.default;
    return actual === String(wanted);
  });
}

/**
 * Tests whether a property has a value. An empty string does not count as a
 * value.
 */
function hasValue(instance: { readonly node: Node } | undefined): boolean {
  return (
    instance !== undefined && !isNull(instance.node) && !isBlank(instance.node)
  );
}

/**
 * Marks keys that are present but have no value as required: the key of the
 * property itself, and the keys of the blocks that enclose it.
 */
function requireValue(
  file: FileCheck,
  owner: PropertyInstance,
  relative: string,
): void {
  const keys = relative.split(".");
  for (let length = keys.length; length > 0; length--) {
    const path = joinPaths(owner.path, keys.slice(0, length).join("."));
    const instance = file.found.get(path);
    if (instance !== undefined && !hasValue(instance)) file.requireValue(path);
  }
}

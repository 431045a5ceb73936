import { isBlank, isNull, type ScalarNode } from "../document/tree.js";
import { propertyIndex } from "../schema/property-index.js";
import type { RuleCondition } from "../schema/table.js";
import {
  joinPaths,
  type RuleContext,
  type PropertyInstance,
} from "./rule-context.js";
import { isPlaceholder } from "./values.js";

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
export function isConditionMet(
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

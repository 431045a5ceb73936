import type { Property } from "../schema/property-index.js";
import { keyedLines } from "./keyed-lines.js";
import type { Node } from "./tree.js";

/**
 * Offsets of the first occurrences of the known properties in a file, keyed by
 * property path without list indexes, such as `envs[].name`.
 */
export type Outline = ReadonlyMap<string, number>;

/** Returns the known properties in a syntax tree, with their offsets. */
export function outlineOf(root: Node, top: Property): Outline {
  const outline = new Map<string, number>();
  const visit = (node: Node, property: Property): void => {
    if (node.kind === "list" && property.item !== undefined)
      for (const item of node.items) visit(item, property.item);
    if (node.kind !== "map") return;
    for (const { key, keyRange, value } of node.entries) {
      const member = property.members.get(key);
      if (member === undefined) continue;
      const { path } = member.row;
      if (!outline.has(path)) outline.set(path, keyRange.start);
      visit(value, member);
    }
  };
  visit(root, top);
  return outline;
}

/**
 * Returns the known properties in text that is not valid YAML, with their
 * offsets. Their paths are derived from the indentation.
 */
export function outlineOfText(text: string, top: Property): Outline {
  const outline = new Map<string, number>();
  for (const { key, property, offset, isSpaceMissing } of keyedLines(
    text,
    top,
  )) {
    if (property?.key !== key || isSpaceMissing) continue;
    const { path } = property.row;
    if (!outline.has(path)) outline.set(path, offset);
  }
  return outline;
}

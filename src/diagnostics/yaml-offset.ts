import { isMap, isScalar, isSeq, type Document, type Node } from "yaml";
import { tokensOf } from "./types.js";

/**
 * Returns the offset of the key or element at a JSON pointer in YAML text. For
 * a pointer to a missing value, returns the offset of its nearest ancestor.
 */
export function yamlOffset({ contents }: Document, pointer: string): number {
  let node: unknown = contents;
  let offset = startOf(contents) ?? 0;
  for (const token of tokensOf(pointer)) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === token,
      );
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(token)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

/** Returns the offset of a node; undefined if it was not parsed from text. */
export function startOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null | undefined)?.range?.[0];
}

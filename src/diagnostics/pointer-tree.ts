import { tokensOf } from "./types.js";

/**
 * Tree of JSON pointers to search for. Each edge represents a reference token.
 */
export interface PointerNode {
  readonly children: Map<string, PointerNode>;
  offset?: number;
}

/** Adds the tokens of a JSON pointer to a tree. */
export function addPointer(root: PointerNode, tokens: readonly string[]): void {
  let node = root;
  for (const token of tokens) {
    const child = node.children.get(token) ?? { children: new Map() };
    node.children.set(token, child);
    node = child;
  }
}

/**
 * Returns the offset of the value at a pointer, or of its nearest ancestor with
 * an offset.
 */
export function nearestOffset(root: PointerNode, pointer: string): number {
  let node: PointerNode | undefined = root;
  let offset = 0;
  for (const token of [...tokensOf(pointer), ""]) {
    if (node?.offset === undefined) break;
    offset = node.offset;
    node = node.children.get(token);
  }
  return offset;
}

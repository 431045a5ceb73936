/** Part of a text; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Key and value of a map. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Node;
  /** Range of the alias, if the value is used through one. */
  readonly aliasRange?: Range;
  /** True for an entry from a merge key. */
  readonly isMerged?: true;
}

/** Map with its entries in file order; keys may be duplicated. */
export interface MapNode {
  readonly kind: "map";
  readonly range: Range;
  readonly entries: readonly Entry[];
  readonly isFlow: boolean;
}

/** List with its elements in file order. */
export interface ListNode {
  readonly kind: "list";
  readonly range: Range;
  readonly items: readonly Node[];
  readonly isFlow: boolean;
}

/** Scalar value. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly range: Range;
  readonly value: string | number | boolean | null;
  /** True if the value is neither quoted nor a block scalar. */
  readonly isPlain: boolean;
  /** Source text without quotes. */
  readonly text: string;
}

/** Node of a file; a value with several aliases is one object. */
export type Node = MapNode | ListNode | ScalarNode;

/**
 * Returns the last entry with a key, which is the one that YAML loaders use.
 */
export function entryOf(
  node: Node | undefined,
  key: string,
): Entry | undefined {
  if (node?.kind !== "map") return undefined;
  const { entries } = node;
  for (let index = entries.length - 1; index >= 0; index--)
    if (entries[index]!.key === key) return entries[index];
  return undefined;
}

/** Returns whether a value is null: `key:` or `key: null`. */
export function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** Returns whether a value is text without visible characters. */
export function isBlank(node: Node): boolean {
  return (
    node.kind === "scalar" &&
    typeof node.value === "string" &&
    node.value.trim() === ""
  );
}

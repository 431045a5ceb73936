/** Part of a text: offsets of its beginning and of what follows it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A key and its value. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Node;
  /** Where the value is used through an alias: the place of the alias. */
  readonly aliasAt?: Range;
  /** It came in through a merge key. */
  readonly isMerged?: true;
}

/** Keys in the order of the file; the same key may stand there twice. */
export interface MapNode {
  readonly kind: "map";
  readonly range: Range;
  readonly entries: readonly Entry[];
  readonly isFlow: boolean;
}

/** Elements in order. */
export interface ListNode {
  readonly kind: "list";
  readonly range: Range;
  readonly items: readonly Node[];
  readonly isFlow: boolean;
}

/** A single value. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly range: Range;
  readonly value: string | number | boolean | null;
  /** Neither quoted nor a block. */
  readonly isPlain: boolean;
  /** The text as written, without quotes. */
  readonly text: string;
}

/** A value of a file; a value with several names is one node. */
export type Node = MapNode | ListNode | ScalarNode;

/** The last entry of a key, which is the one that loaders keep. */
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

/** Whether nothing is there: `key:` or `key: null`. */
export function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** Whether a value is text without a visible character. */
export function isBlank(node: Node): boolean {
  return (
    node.kind === "scalar" &&
    typeof node.value === "string" &&
    node.value.trim() === ""
  );
}

import type { Range, ScalarNode } from "../../runtime/rules/tree.js";

export { isBlank, isNull } from "../../runtime/rules/tree.js";
export type { Range, ScalarNode } from "../../runtime/rules/tree.js";

/** Entry of a map, with key and value. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Node;
  /** Range of the alias; absent if the value is not an alias. */
  readonly aliasRange?: Range;
  /** True if a merge key (`<<`) added the entry. */
  readonly isMerged?: true;
}

/** Map with its entries in file order. A key can occur several times. */
export interface MapNode {
  readonly kind: "map";
  readonly range: Range;
  readonly entries: readonly Entry[];
  readonly isFlow: boolean;
}

/** List with its elements in file order. */
interface ListNode {
  readonly kind: "list";
  readonly range: Range;
  readonly items: readonly Node[];
  readonly isFlow: boolean;
}

/** Node in the syntax tree of a file. All aliases of a value share one node. */
export type Node = MapNode | ListNode | ScalarNode;

/** YAML syntax error with its position. */
export interface YamlProblem {
  readonly code: string;
  readonly offset: number;
  /**
   * Length of the invalid text in characters; 1 if only a position is known.
   */
  readonly length: number;
  readonly message: string;
}

/** Result of parsing YAML text. */
export interface ParsedYaml {
  /** Top-level map; absent if the text could not be parsed. */
  readonly root?: MapNode;
  readonly problems: readonly YamlProblem[];
  /** Anchors and aliases in file order. */
  readonly anchors?: readonly AnchorOrAlias[];
}

/** Anchor (`&name`) or alias (`*name`). */
export interface AnchorOrAlias {
  readonly name: string;
  readonly isAlias: boolean;
  /** Range of an alias, or of an anchor together with its value. */
  readonly range: Range;
}

/** Creates a syntax error at an offset. */
export function yamlProblem(
  code: string,
  offset: number,
  message: string,
  length = 1,
): YamlProblem {
  return { code, offset, length, message };
}

/**
 * Returns the last entry with the given key, because YAML loaders use the last
 * one.
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

import type { MapNode, Range } from "./tree.js";

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

import type { MapNode, Range } from "./tree.js";

/** Problem with the YAML syntax, found before properties are checked. */
export interface YamlProblem {
  readonly code: string;
  readonly offset: number;
  /** Length of the affected text; 1 for a single position. */
  readonly length: number;
  readonly message: string;
}

/** Result of parsing a text. */
export interface ParsedYaml {
  /** Absent if the text could not be parsed. */
  readonly root?: MapNode;
  readonly problems: readonly YamlProblem[];
  /** Anchors and aliases in file order. */
  readonly anchors?: readonly AnchorOrAlias[];
}

/** Anchor, or alias that refers to one. */
export interface AnchorOrAlias {
  readonly name: string;
  readonly isAlias: boolean;
  /** Range of the alias, or of the anchor with its value. */
  readonly range: Range;
}

/** Creates a problem at an offset. */
export function yamlProblem(
  code: string,
  offset: number,
  message: string,
  length = 1,
): YamlProblem {
  return { code, offset, length, message };
}

import type { MapNode, Range } from "./tree.js";

/** Something about the YAML itself, before any property is looked at. */
export interface Trouble {
  readonly code: string;
  readonly offset: number;
  /** Length of what is meant; 1 where that is a point. */
  readonly length: number;
  readonly message: string;
}

/** What came of reading a text. */
export interface Read {
  /** Absent where the trouble leaves nothing to look at. */
  readonly root?: MapNode;
  readonly troubles: readonly Trouble[];
  /** Anchors and aliases, in the order of the file. */
  readonly names?: readonly SharedName[];
}

/** An anchor, or an alias that means it. */
export interface SharedName {
  readonly name: string;
  readonly isAlias: boolean;
  /** The alias, or the anchor with its value. */
  readonly range: Range;
}

/** Trouble at an offset. */
export function trouble(
  code: string,
  offset: number,
  message: string,
  length = 1,
): Trouble {
  return { code, offset, length, message };
}

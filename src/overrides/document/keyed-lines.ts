import { dottedProperty } from "../secrets.js";
import type { Property } from "../schema/property-index.js";
import type { Node } from "./tree.js";

/** Line of the form `key: value` in text that is not valid YAML. */
export interface KeyedLine {
  /** Line number, counted from 1. */
  readonly line: number;
  readonly key: string;
  /** Offset of the key in the text. */
  readonly offset: number;
  /** Column of the key, after any list dashes; counted from 0. */
  readonly indent: number;
  /** Offset of the value, after the colon and any white space. */
  readonly valueOffset: number;
  /** True if no white space follows the colon, as in `key:value`. */
  readonly isSpaceMissing: boolean;
  /**
   * Property that the line sets, as derived from its key and indentation. The
   * key can be a dotted path such as `auth.admin`.
   */
  readonly property?: Property;
}

const LINE =
  /^([ \t]*)((?:- +)*)(?:"([\w.-]+)"|'([\w.-]+)'|([\w.-]+)) *:([ \t\r]*)/;

interface OpenBlock {
  readonly indent: number;
  readonly property: Property | undefined;
}

/**
 * Returns the lines of the form `key: value` in text that is not valid YAML.
 * The property of each line is derived from its indentation.
 */
export function keyedLines(text: string, top: Property): KeyedLine[] {
  const found: KeyedLine[] = [];
  const openBlocks: OpenBlock[] = [];
  let offset = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const parts = LINE.exec(line);
    if (parts !== null) found.push(toKeyedLine(parts, index + 1, offset));
    offset += line.length + 1;
  }
  return found;

  function toKeyedLine(
    parts: RegExpExecArray,
    line: number,
    start: number,
  ): KeyedLine {
    const [matched, space = "", dashes = "", , , , gap = ""] = parts;
    const key = parts[3] ?? parts[4] ?? parts[5]!;
    const indent = space.length + dashes.length;
    const property = propertyAt(space.length, dashes, key);
    const end = start + matched.length;
    return {
      line,
      key,
      offset: start + indent,
      indent,
      valueOffset: end,
      isSpaceMissing: gap === "" && matched.length < lengthOf(start),
      ...(property === undefined ? {} : { property }),
    };
  }

  /** Returns the length of the line that begins at the given offset. */
  function lengthOf(start: number): number {
    const end = text.indexOf("\n", start);
    return (end < 0 ? text.length : end) - start;
  }

  function propertyAt(
    space: number,
    dashes: string,
    key: string,
  ): Property | undefined {
    const isItem = dashes !== "";
    const indent = space + dashes.length;
    // A list can begin in the same column as its key.
    const limit = isItem ? space + 1 : indent;
    while (openBlocks.length > 0 && openBlocks.at(-1)!.indent >= limit)
      openBlocks.pop();
    const parent = openBlocks.length === 0 ? top : openBlocks.at(-1)!.property;
    const base = isItem && openBlocks.length > 0 ? parent?.item : parent;
    if (isItem) openBlocks.push({ indent: indent - 1, property: base });
    const property = base?.members.get(key) ?? dottedProperty(base, key);
    openBlocks.push({ indent, property });
    return property;
  }
}

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

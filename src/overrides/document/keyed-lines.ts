import { dottedProperty } from "../secrets.js";
import type { Property } from "../schema/property-index.js";

/** A line of the form `key: value`, found without a YAML reader. */
export interface KeyedLine {
  /** From 1. */
  readonly line: number;
  readonly key: string;
  /** Offset of the key. */
  readonly offset: number;
  /** Column of the key, from 0; a dash of a list counts as indentation. */
  readonly indent: number;
  /** Offset of the character after the colon and the white space behind it. */
  readonly valueAt: number;
  /** No white space follows the colon: `key:value`. */
  readonly isTight: boolean;
  /** The property that the key means if the indentation is right; the key may be a path. */
  readonly property?: Property;
}

const LINE =
  /^([ \t]*)((?:- +)*)(?:"([\w.-]+)"|'([\w.-]+)'|([\w.-]+)) *:([ \t\r]*)/;

interface Open {
  readonly indent: number;
  readonly property: Property | undefined;
}

/**
 * Reads the keys of a text that is not YAML yet; their places in the table
 * follow from the indentation.
 */
export function keyedLines(text: string, top: Property): KeyedLine[] {
  const found: KeyedLine[] = [];
  const open: Open[] = [];
  let offset = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const parts = LINE.exec(line);
    if (parts !== null) found.push(keyed(parts, index + 1, offset));
    offset += line.length + 1;
  }
  return found;

  function keyed(
    parts: RegExpExecArray,
    line: number,
    start: number,
  ): KeyedLine {
    const [whole, space = "", dashes = "", , , , gap = ""] = parts;
    const key = parts[3] ?? parts[4] ?? parts[5]!;
    const indent = space.length + dashes.length;
    const property = placeOf(space.length, dashes, key);
    const end = start + whole.length;
    return {
      line,
      key,
      offset: start + indent,
      indent,
      valueAt: end,
      isTight: gap === "" && whole.length < lengthOf(start),
      ...(property === undefined ? {} : { property }),
    };
  }

  /** Length of the line that begins at an offset. */
  function lengthOf(start: number): number {
    const end = text.indexOf("\n", start);
    return (end < 0 ? text.length : end) - start;
  }

  function placeOf(
    space: number,
    dashes: string,
    key: string,
  ): Property | undefined {
    const isItem = dashes !== "";
    const indent = space + dashes.length;
    // A list may begin at the column of its key.
    const limit = isItem ? space + 1 : indent;
    while (open.length > 0 && open.at(-1)!.indent >= limit) open.pop();
    const parent = open.length === 0 ? top : open.at(-1)!.property;
    const base = isItem && open.length > 0 ? parent?.item : parent;
    if (isItem) open.push({ indent: indent - 1, property: base });
    const property = base?.members.get(key) ?? dottedProperty(base, key);
    open.push({ indent, property });
    return property;
  }
}

import type { LineIndex } from "../document/line-index.js";
import type { Entry, MapNode, Node, Range } from "../document/tree.js";

/**
 * Layout of a file: the ranges of entries, the indentation and the line breaks.
 */
export class FileLayout {
  readonly lines: LineIndex;
  /**
   * Line break that the file uses: CRLF if the first line ends with it,
   * otherwise LF.
   */
  readonly lineEnd: string;
  /** String of spaces for one level of indentation. */
  readonly step: string;

  constructor(lines: LineIndex, root: MapNode) {
    this.lines = lines;
    this.lineEnd = /^[^\n]*\r\n/.test(lines.text) ? "\r\n" : "\n";
    this.step = " ".repeat(indentationStep(lines, root));
  }

  /** Returns the column of an offset, counted from 0. */
  columnOf(offset: number): number {
    return this.lines.positionOf(offset).column - 1;
  }

  lineOf(offset: number): number {
    return this.lines.positionOf(offset).line;
  }

  /** Returns the offset at which a line begins. */
  startOf(line: number): number {
    return this.lines.startOf(line);
  }

  /**
   * Returns the offset after the last character of a value, excluding trailing
   * white space.
   */
  contentEnd(entry: Entry): number {
    const end = Math.max(entry.keyRange.end, entryEnd(entry));
    const { text } = this.lines;
    let at = end;
    while (at > entry.keyRange.end && /\s/.test(text[at - 1]!)) at--;
    return at;
  }

  /** Returns the offset of the first line after an entry. */
  lineAfter(entry: Entry): number {
    return this.startOf(this.lineOf(this.contentEnd(entry)) + 1);
  }

  /**
   * Returns the range of an entry's lines. The range includes a trailing
   * comment, and the following comments that are indented more deeply than the
   * key.
   */
  linesOf(entry: Entry): Range {
    const start = this.startOf(this.lineOf(entry.keyRange.start));
    const indent = this.columnOf(entry.keyRange.start);
    let line = this.lineOf(this.contentEnd(entry)) + 1;
    let end = this.startOf(line);
    for (; line <= this.lines.count; line++) {
      const text = this.lines.lineText(line);
      if (text.trim() === "") continue;
      const comment = /^(\s*)#/.exec(text);
      if (comment === null || comment[1]!.length <= indent) break;
      end = this.startOf(line + 1);
    }
    return { start, end };
  }

  /**
   * Returns the text after the colon of a key, up to the end of the line,
   * including any comment or anchor.
   */
  restOfLine(entry: Entry): string {
    const { text } = this.lines;
    const colon = text.indexOf(":", entry.keyRange.end);
    const line = this.lines.lineText(this.lineOf(entry.keyRange.start));
    const start = this.startOf(this.lineOf(entry.keyRange.start));
    return line.slice(colon + 1 - start);
  }

  /** Tests whether an entry is on a single line. */
  isOneLine(entry: Entry): boolean {
    return (
      this.lineOf(entry.keyRange.start) === this.lineOf(this.contentEnd(entry))
    );
  }

  /**
   * Tests whether an entry is at the beginning of its line, without a list dash
   * before it.
   */
  beginsLine(entry: Entry): boolean {
    const { start } = entry.keyRange;
    const lineStart = this.startOf(this.lineOf(start));
    return this.lines.text.slice(lineStart, start).trim() === "";
  }

  /** Tests whether a blank line precedes an entry and the comments above it. */
  hasBlankLineAbove(entry: Entry): boolean {
    let line = this.lineOf(entry.keyRange.start) - 1;
    while (line > 0 && /^\s*#/.test(this.lines.lineText(line))) line--;
    return line > 0 && this.lines.lineText(line).trim() === "";
  }
}

function entryEnd(entry: Entry): number {
  return entry.aliasRange?.end ?? lastValueEnd(entry.value);
}

/** Returns the end offset of the last value within a node. */
function lastValueEnd(node: Node): number {
  if (node.kind === "scalar" || node.isFlow) return node.range.end;
  if (node.kind === "list") {
    const last = node.items.at(-1);
    return last === undefined ? node.range.end : lastValueEnd(last);
  }
  const last = node.entries.at(-1);
  if (last === undefined) return node.range.end;
  if (last.isMerged === true) return last.aliasRange!.end;
  return Math.max(last.keyRange.end, entryEnd(last));
}

/**
 * Returns the number of spaces by which the first nested block is indented; 2
 * if the file has no nested block.
 */
function indentationStep(lines: LineIndex, root: MapNode): number {
  for (const { value } of root.entries) {
    if (value.kind !== "map" || value.isFlow) continue;
    const first = value.entries[0];
    if (first === undefined) continue;
    const column = lines.positionOf(first.keyRange.start).column - 1;
    if (column > 0) return column;
  }
  return 2;
}

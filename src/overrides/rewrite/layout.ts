import type { Lines } from "../document/lines.js";
import type { Entry, MapNode, Node, Range } from "../document/tree.js";

/** Knows how a file is laid out: ends of blocks, indentation, line ends. */
export class Layout {
  readonly lines: Lines;
  /** `\r\n` where the file's first line ends like that. */
  readonly lineEnd: string;
  /** One step of indentation. */
  readonly step: string;

  constructor(lines: Lines, root: MapNode) {
    this.lines = lines;
    this.lineEnd = /^[^\n]*\r\n/.test(lines.text) ? "\r\n" : "\n";
    this.step = " ".repeat(stepOf(lines, root));
  }

  /** Column of an offset, from 0. */
  columnOf(offset: number): number {
    return this.lines.positionOf(offset).column - 1;
  }

  lineOf(offset: number): number {
    return this.lines.positionOf(offset).line;
  }

  /** Where a line begins. */
  startOf(line: number): number {
    return this.lines.startOf(line);
  }

  /** Offset behind the last character of a value that is no white space. */
  contentEnd(entry: Entry): number {
    const end = Math.max(entry.keyRange.end, endOf(entry));
    const { text } = this.lines;
    let at = end;
    while (at > entry.keyRange.end && /\s/.test(text[at - 1]!)) at--;
    return at;
  }

  /** Where the line after an entry's last one begins. */
  lineAfter(entry: Entry): number {
    return this.startOf(this.lineOf(this.contentEnd(entry)) + 1);
  }

  /**
   * The lines of an entry of a block: with the comment at its end, and with
   * comments below it that are indented deeper than its key.
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

  /** What stands behind a key's colon, with comment and anchor, to the end of its line. */
  restOfLine(entry: Entry): string {
    const { text } = this.lines;
    const colon = text.indexOf(":", entry.keyRange.end);
    const line = this.lines.lineText(this.lineOf(entry.keyRange.start));
    const start = this.startOf(this.lineOf(entry.keyRange.start));
    return line.slice(colon + 1 - start);
  }

  /** Whether an entry stands in one line. */
  isOneLine(entry: Entry): boolean {
    return (
      this.lineOf(entry.keyRange.start) === this.lineOf(this.contentEnd(entry))
    );
  }

  /** Whether the first thing in an entry's line is its key, not the dash of a list. */
  beginsLine(entry: Entry): boolean {
    const { start } = entry.keyRange;
    const lineStart = this.startOf(this.lineOf(start));
    return this.lines.text.slice(lineStart, start).trim() === "";
  }

  /** Whether a blank line stands above an entry, comments between them apart. */
  hasSpaceAbove(entry: Entry): boolean {
    let line = this.lineOf(entry.keyRange.start) - 1;
    while (line > 0 && /^\s*#/.test(this.lines.lineText(line))) line--;
    return line > 0 && this.lines.lineText(line).trim() === "";
  }
}

function endOf(entry: Entry): number {
  return entry.aliasAt?.end ?? lastOf(entry.value);
}

/** The end of the last value in a value. */
function lastOf(node: Node): number {
  if (node.kind === "scalar" || node.isFlow) return node.range.end;
  if (node.kind === "list") {
    const last = node.items.at(-1);
    return last === undefined ? node.range.end : lastOf(last);
  }
  const last = node.entries.at(-1);
  if (last === undefined) return node.range.end;
  if (last.isMerged === true) return last.aliasAt!.end;
  return Math.max(last.keyRange.end, endOf(last));
}

/** Two spaces, unless the first block of the file is indented otherwise. */
function stepOf(lines: Lines, root: MapNode): number {
  for (const { value } of root.entries) {
    if (value.kind !== "map" || value.isFlow) continue;
    const first = value.entries[0];
    if (first === undefined) continue;
    const column = lines.positionOf(first.keyRange.start).column - 1;
    if (column > 0) return column;
  }
  return 2;
}

import type { Range, Entry, MapNode, Node } from "../document/tree.js";
import type { LineIndex } from "../document/source-text.js";

/** Replacement of a range with text. An empty range denotes an insertion. */
export interface Edit extends Range {
  readonly text: string;
}

/** Set of edits to a string. All offsets refer to the original string. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  /** Replaced ranges as `start-end`, used to ignore duplicates. */
  readonly #replaced = new Set<string>();
  /** Cached result of `unionOf`; adding an edit resets it to undefined. */
  #covered: Range[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Removes a range. Removing the same range again has no effect. */
  remove(range: Range): void {
    this.replace(range, "");
  }

  replace({ start, end }: Range, text: string): void {
    const key = `${start}-${end}`;
    if (start < end && this.#replaced.has(key)) return;
    this.#replaced.add(key);
    this.#edits.push({ start, end, text });
    this.#covered = undefined;
  }

  /**
   * Inserts text at an offset. If the offset is in a removed range, the text is
   * inserted after the range.
   */
  insert(offset: number, text: string): void {
    this.#edits.push({ start: offset, end: offset, text });
  }

  /** Tests whether an offset is in a replaced range. */
  covers(offset: number): boolean {
    const range = this.#rangeBefore(offset + 1);
    return range !== undefined && offset < range.end;
  }

  /** Returns the last replaced range that begins before an offset. */
  #rangeBefore(offset: number): Range | undefined {
    const ranges = (this.#covered ??= unionOf(this.#edits));
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]!.start < offset) low = middle + 1;
      else high = middle;
    }
    return ranges[low - 1];
  }

  /** Returns the text with all edits applied. */
  apply(): string {
    let text = "";
    let at = 0;
    for (const edit of this.#inOrder()) {
      if (edit.start > at) text += this.#text.slice(at, edit.start);
      text += edit.text;
      at = Math.max(at, edit.end);
    }
    return text + this.#text.slice(at);
  }

  /**
   * Returns the edits sorted by offset. Insertions within a removed range are
   * moved to the end of that range.
   */
  #inOrder(): Edit[] {
    return this.#edits
      .map((edit) => {
        if (edit.start < edit.end) return edit;
        const enclosing = this.#rangeBefore(edit.start);
        return enclosing === undefined || enclosing.end <= edit.start
          ? edit
          : { ...edit, start: enclosing.end, end: enclosing.end };
      })
      .map((edit, index) => ({ edit, index }))
      .sort(
        (a, b) =>
          a.edit.start - b.edit.start ||
          a.edit.end - b.edit.end ||
          a.index - b.index,
      )
      .map(({ edit }) => edit);
  }
}

/** Merges overlapping ranges into one. */
function unionOf(edits: readonly Edit[]): Range[] {
  const ranges: { start: number; end: number }[] = [];
  const sorted = edits
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  for (const { start, end } of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && start < last.end)
      last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

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

/** Comment, and its position in a string. */
interface CommentMatch {
  readonly offset: number;
  readonly text: string;
}

/**
 * Finds comments in an excerpt of YAML. A `#` within quotes is not a comment.
 */
export function findComments(text: string): CommentMatch[] {
  const found: CommentMatch[] = [];
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isLoose = at === 0 || /[\s[{,:]/.test(text[at - 1]!);
    if (quote !== "") {
      if (quote === '"' && character === "\\") at++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && isLoose)
      quote = character;
    else if (character === "#" && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf("\n", at);
      const comment = text.slice(at, end < 0 ? text.length : end).trimEnd();
      found.push({ offset: at, text: comment });
      at += comment.length;
    }
  }
  return found;
}

/**
 * Formats text without quotes if YAML would parse it as the same text,
 * otherwise in double quotes.
 */
export function formatScalar(text: string): string {
  const isSafe =
    /^[A-Za-z.$][\w.$/-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n|\.nan|\.inf)$/i.test(text);
  return isSafe ? text : JSON.stringify(text);
}

/** Formats text with the same kind of quotes as the original value. */
export function formatLikeSource(source: string, text: string): string {
  if (source.startsWith('"')) return JSON.stringify(text);
  if (source.startsWith("'")) return `'${text.replace(/'/g, "''")}'`;
  return formatScalar(text);
}

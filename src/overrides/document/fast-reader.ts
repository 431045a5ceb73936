// This file has more than 250 lines, because all methods of the single-pass
// reader share the read position.

import { FlowReader } from "./flow-reader.js";
import { plainScalar } from "./plain-scalar.js";
import type { Entry, ListNode, MapNode, Node } from "./tree.js";

/**
 * Reads the subset of YAML that overrides files commonly use: maps, lists,
 * scalars and short flow collections, with each value on one line. For
 * unsupported or invalid syntax, returns the offset of the line that contains
 * it. The caller then parses the text with the YAML library, which is ten times
 * slower. A property-based test checks that both parsers produce the same tree.
 */
export function readFast(text: string): MapNode | number {
  const odd = text.search(/[\t\ufeff]|\r(?!\n)/);
  if (odd >= 0) return odd;
  const reader = new FastReader(text);
  try {
    return reader.read() ?? reader.offset;
  } catch (error) {
    // Deeply nested text overflows the stack (RangeError). The caller then
    // parses the text with the YAML library, which reports the error.
    if (error === UNSUPPORTED || error instanceof RangeError)
      return reader.offset;
    throw error;
  }
}

const MAX_COLUMN = 200;

/** Error that stops the reader at syntax outside the supported subset. */
const UNSUPPORTED = new Error("unusual");

/** Line with content other than a comment. */
interface Line {
  /**
   * Offset of the first unread character, after indentation and list dashes.
   */
  start: number;
  /** Column of `start`, counted from 0. */
  indent: number;
  /**
   * Offset after the last character. Trailing white space is excluded; a
   * trailing comment is part of the line.
   */
  readonly end: number;
}

const KEY =
  /(?:([A-Za-z_][\w./-]*)|"([^"\\\n]*)"|'([^'\n]*)') *:(?= |$|\r|\n)/y;
/** Pattern for keys that YAML 1.1 or 1.2 parses as a boolean or null. */
const NON_STRING_KEY = /^(?:true|false|null|y|n)$/i;
const QUOTED = /"([^"\\\n]*)"|'([^'\n]*)'/y;

class FastReader {
  readonly #text: string;
  readonly #lines: Line[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#collect();
  }

  read(): MapNode | undefined {
    const [first] = this.#lines;
    if (first === undefined || this.#isDash(first)) return undefined;
    const root = this.#map(first.indent);
    return this.#at === this.#lines.length ? root : undefined;
  }

  #collect(): void {
    const text = this.#text;
    for (let start = 0; start < text.length;) {
      const lineEnd = text.indexOf("\n", start);
      const next = lineEnd < 0 ? text.length : lineEnd + 1;
      let end = lineEnd < 0 ? text.length : lineEnd;
      while (end > start && /[ \r]/.test(text[end - 1]!)) end--;
      let first = start;
      while (first < end && text[first] === " ") first++;
      const isMarker = start === 0 && text.slice(start, end) === "---";
      if (first < end && text[first] !== "#" && !isMarker)
        this.#lines.push({ start: first, indent: first - start, end });
      start = next;
    }
  }

  #isDash({ start, end }: Line): boolean {
    const text = this.#text;
    return (
      text[start] === "-" && (start + 1 === end || text[start + 1] === " ")
    );
  }

  /** Offset at which the current line begins. */
  get offset(): number {
    const line = this.#lines[Math.min(this.#at, this.#lines.length - 1)];
    return line?.start ?? 0;
  }

  /** Current line; undefined at the end of the text. */
  get #line(): Line | undefined {
    return this.#lines[this.#at];
  }

  #map(indent: number): MapNode {
    // Each nested block starts at a higher column, so limiting the column also
    // limits the recursion depth.
    if (indent > MAX_COLUMN) throw UNSUPPORTED;
    const { start } = this.#line!;
    const entries: Entry[] = [];
    let end = start;
    for (
      let line = this.#line;
      line?.indent === indent && !this.#isDash(line);
      line = this.#line
    ) {
      const entry = this.#entry(line);
      entries.push(entry);
      end = Math.max(entry.keyRange.end, entry.value.range.end);
    }
    this.#rejectDeeperLine(indent);
    return { kind: "map", range: { start, end }, entries, isFlow: false };
  }

  /**
   * Throws UNSUPPORTED if the line after a block is indented more deeply than
   * the block.
   */
  #rejectDeeperLine(indent: number): void {
    if (this.#line !== undefined && this.#line.indent > indent)
      throw UNSUPPORTED;
  }

  #entry(line: Line): Entry {
    KEY.lastIndex = line.start;
    const found = KEY.exec(this.#text);
    if (found === null) throw UNSUPPORTED;
    const plain = found[1];
    const key = plain ?? found[2] ?? found[3]!;
    if (plain !== undefined && NON_STRING_KEY.test(plain)) throw UNSUPPORTED;
    const length = plain === undefined ? key.length + 2 : key.length;
    const keyRange = { start: line.start, end: line.start + length };
    const colon = KEY.lastIndex;
    this.#at++;
    return { key, keyRange, value: this.#value(line, colon) };
  }

  #value(line: Line, colon: number): Node {
    const start = this.#skipSpaces(colon, line.end);
    if (start < line.end && this.#text[start] !== "#") {
      const value = this.#single(start, line.end);
      this.#rejectDeeperLine(line.indent);
      return value;
    }
    const next = this.#line;
    const isOwn =
      next !== undefined &&
      (next.indent > line.indent ||
        (next.indent === line.indent && this.#isDash(next)));
    if (isOwn) return this.#block(next);
    return plainNull(colon);
  }

  #block(line: Line): Node {
    return this.#isDash(line)
      ? this.#list(line.indent)
      : this.#map(line.indent);
  }

  #list(indent: number): ListNode {
    const { start } = this.#line!;
    const items: Node[] = [];
    for (
      let line = this.#line;
      line?.indent === indent && this.#isDash(line);
      line = this.#line
    )
      items.push(this.#item(line));
    this.#rejectDeeperLine(indent);
    const end = items.at(-1)!.range.end;
    return { kind: "list", range: { start, end }, items, isFlow: false };
  }

  #item(line: Line): Node {
    const { indent } = line;
    const start = this.#skipSpaces(line.start + 1, line.end);
    if (start === line.end || this.#text[start] === "#") throw UNSUPPORTED;
    line.indent += start - line.start;
    line.start = start;
    KEY.lastIndex = start;
    if (this.#isDash(line) || KEY.test(this.#text)) return this.#block(line);
    this.#at++;
    const value = this.#single(start, line.end);
    this.#rejectDeeperLine(indent);
    return value;
  }

  #skipSpaces(from: number, end: number): number {
    let at = from;
    while (at < end && this.#text[at] === " ") at++;
    return at;
  }

  /** Reads a value that begins and ends on the same line. */
  #single(start: number, end: number): Node {
    const first = this.#text[start]!;
    if (first === "[" || first === "{") {
      const flow = new FlowReader(this.#text, start, end);
      const value = flow.read();
      if (value === undefined) throw UNSUPPORTED;
      this.#rejectTrailingText(flow.at, end);
      return value;
    }
    return first === '"' || first === "'"
      ? this.#quoted(start, end)
      : this.#plain(start, end);
  }

  #quoted(start: number, end: number): Node {
    QUOTED.lastIndex = start;
    const found = QUOTED.exec(this.#text);
    if (found === null || QUOTED.lastIndex > end) throw UNSUPPORTED;
    const value = found[1] ?? found[2]!;
    const range = { start, end: QUOTED.lastIndex };
    this.#rejectTrailingText(range.end, end);
    return { kind: "scalar", range, value, isPlain: false, text: value };
  }

  /** Throws UNSUPPORTED if text other than a comment follows a value. */
  #rejectTrailingText(from: number, end: number): void {
    const at = this.#skipSpaces(from, end);
    const isComment = at > from && this.#text[at] === "#";
    if (at < end && !isComment) throw UNSUPPORTED;
  }

  #plain(start: number, end: number): Node {
    const source = this.#text.slice(start, end);
    const comment = source.indexOf(" #");
    const text = comment < 0 ? source : trimmedBefore(source, comment);
    const isOdd =
      /^[\]},&*!|>%@`]|^[-?:](?: |$)/.test(text) || /:(?: |$)/.test(text);
    const node = isOdd
      ? undefined
      : plainScalar(text, { start, end: start + text.length });
    if (node === undefined) throw UNSUPPORTED;
    return node;
  }
}

function trimmedBefore(text: string, offset: number): string {
  let end = offset;
  while (end > 0 && text[end - 1] === " ") end--;
  return text.slice(0, end);
}

function plainNull(at: number): Node {
  const range = { start: at, end: at };
  return { kind: "scalar", range, value: null, isPlain: true, text: "" };
}

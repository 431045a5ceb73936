import { INVISIBLE } from "../../diagnostics/invisible.js";
import { yamlProblem, type YamlProblem } from "./tree.js";

/**
 * Text that was decoded from the bytes of a file, without its byte order mark.
 */
interface SourceText {
  /** Text without the byte order mark. */
  readonly text: string;
  readonly hasBom: boolean;
  /**
   * Offset of the first invalid byte sequence or control character; -1 if there
   * is none.
   */
  readonly invalidOffset: number;
}

const BOM = "\ufeff";

/** Decodes UTF-8 and finds the first invalid byte or control character. */
export function decode(bytes: Uint8Array): SourceText {
  const decoded = Buffer.from(bytes).toString("utf8");
  const hasBom = decoded.startsWith(BOM);
  const text = hasBom ? decoded.slice(1) : decoded;
  return { text, hasBom, invalidOffset: findInvalid(bytes, text) };
}

/** Encodes a string as UTF-8, with a byte order mark if `hasMark` is true. */
export function encode(text: string, hasMark: boolean): Buffer {
  return Buffer.from(hasMark ? BOM + text : text, "utf8");
}

function findInvalid(bytes: Uint8Array, text: string): number {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return 0;
  // The decoder replaces an invalid byte sequence with U+FFFD. A file that
  // itself contains this character is rejected too, but such files are rare.
  return text.search(/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/);
}

/**
 * Position as shown in editors: line and column are counted from 1, and columns
 * count UTF-16 code units.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts between offsets and line numbers of a string. */
export class LineIndex {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
      this.#starts.push(at + 1);
  }

  /** Number of lines. The empty line after a final line break is counted. */
  get count(): number {
    return this.#starts.length;
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }

  /** Returns the offset at which a line begins; lines are counted from 1. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** Returns a line without its line break. */
  lineText(line: number): string {
    const start = this.startOf(line);
    let end = this.startOf(line + 1);
    if (end > start && this.text[end - 1] === "\n") end--;
    if (end > start && this.text[end - 1] === "\r" && this.text[end] === "\n")
      end--;
    return this.text.slice(start, end);
  }
}

/**
 * First unrendered template expression in a file, and the number of such
 * expressions.
 */
interface TemplateExpression {
  readonly offset: number;
  readonly length: number;
  /** Number of template expressions in the file. */
  readonly count: number;
}

/**
 * Pattern for template expressions, and for the characters that begin or end
 * comments.
 */
const TOKEN = /\{\{|\{%|#|["'\n]/g;

/**
 * Finds the first template expression outside of comments. A `#` after white
 * space begins a comment. If a quote follows on the same line, the `#` can be
 * inside a string, so the text after the quote is searched too. The text is
 * read once.
 */
export function findTemplateExpression(
  text: string,
): TemplateExpression | undefined {
  let first: number | undefined;
  let count = 0;
  let isComment = false;
  let isCommentLine = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    switch (token) {
      case "\n":
        isComment = false;
        isCommentLine = false;
        break;
      case "#":
        isCommentLine ||= !isComment && beginsLine(text, index);
        isComment ||= isSpace(text[index - 1]);
        break;
      case '"':
      case "'":
        isComment = false;
        break;
      default:
        if (isComment || isCommentLine) break;
        first ??= index;
        count++;
    }
  }
  return first === undefined ? undefined : { offset: first, length: 2, count };
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

/** Tests whether the text between the start of the line and an offset is blank. */
function beginsLine(text: string, offset: number): boolean {
  for (let at = offset - 1; at >= 0 && text[at] !== "\n"; at--)
    if (!isSpace(text[at])) return false;
  return true;
}

/**
 * Pattern for invisible characters, and for space characters that YAML does not
 * treat as white space.
 */
const INVISIBLE_OR_SPACE = new RegExp(`[\\u00a0\\u202f${INVISIBLE}]`, "g");

/**
 * Maximum number of invisible characters that are reported. Pasted text can
 * contain many of them.
 */
const MAX_PROBLEMS = 20;

/** Rule S13: finds invisible characters outside comments. */
export function findInvisibleCharacters(text: string): YamlProblem[] {
  const found: YamlProblem[] = [];
  let commentUntil = 0;
  for (const { 0: character, index } of text.matchAll(INVISIBLE_OR_SPACE)) {
    if (found.length === MAX_PROBLEMS) break;
    if (index < commentUntil) continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const end = text.indexOf("\n", index);
    if (/(?:^|\s)#/.test(text.slice(start, index))) {
      commentUntil = end < 0 ? text.length : end;
      continue;
    }
    const code = character.codePointAt(0)!.toString(16).padStart(4, "0");
    found.push(
      yamlProblem(
        "S13",
        index,
        `the invisible character U+${code.toUpperCase()} is not allowed`,
      ),
    );
  }
  return found;
}

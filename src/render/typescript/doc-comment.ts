import { Code, EMPTY, plainText } from "./code.js";
import { WIDTH } from "./layout.js";
import { breakLists } from "./lists.js";

/** Contents of a doc comment. */
export interface Doc {
  /** Text from a document. It is untrusted and is escaped. */
  readonly description?: string | undefined;
  /**
   * Lines after the description; an empty string is a blank line. The lines can
   * contain text from a document and are escaped.
   */
  readonly notes?: readonly string[] | undefined;
  /**
   * True to add a `@deprecated` tag. If the description consists only of a
   * reason for the deprecation, the reason follows the tag.
   */
  readonly deprecated?: boolean | undefined;
}

/**
 * Pattern that matches text that must be escaped or split into lines before it
 * is printed.
 */
const NEEDS_ESCAPE = /[^ -~]|\*\/|@/;

/**
 * Pattern that matches a description that consists only of a reason for the
 * deprecation.
 */
const DEPRECATED = /^\s*(?:\[Deprecated\]|Deprecated)[:.,]\s*(\S[\s\S]*)$/i;

/**
 * Returns a doc comment, indented and followed by a line feed; an empty string
 * if there is no content.
 */
export function docComment(doc: Doc, indent: number): Code {
  const { description = "", notes, deprecated = false } = doc;
  const margin = MARGINS[indent]!;
  const lines = new CommentLines(margin);
  const reason = deprecated ? DEPRECATED.exec(description)?.[1] : undefined;
  if (reason === undefined) lines.prose(breakLists(description));
  if (notes !== undefined && notes.length > 0) lines.section(notes);
  if (deprecated) lines.section([reason ?? ""], "@deprecated ");
  return lines.finish();
}

const MARGINS = ["", " ", "  ", "   ", "    "];

/**
 * Builds the text of a comment line by line. Most comments have only one line.
 */
class CommentLines {
  readonly #prefix: string;
  readonly #width: number;
  #text = "";
  #first = "";
  #count = 0;
  #isBlankPending = false;

  constructor(private readonly margin: string) {
    this.#prefix = `${margin} * `;
    this.#width = WIDTH - margin.length - 3;
  }

  /** Adds paragraphs, separated from earlier lines by a blank line. */
  section(paragraphs: readonly string[], tag = ""): void {
    this.#isBlankPending = this.#count > 0;
    for (const paragraph of paragraphs) {
      if (paragraph === "" && tag === "")
        this.#isBlankPending = this.#count > 0;
      else this.prose(paragraph, tag);
    }
  }

  /**
   * Adds prose, wrapped at the maximum line length. Text that would end the
   * comment or start a tag is escaped.
   */
  prose(prose: string, tag = ""): void {
    if (prose === "" && tag === "") return;
    if (!NEEDS_ESCAPE.test(prose)) return this.#line(tag + prose);
    let rest = tag;
    for (const line of escapeTags(plainText(prose)).split("\n")) {
      this.#line(rest + line);
      rest = "";
    }
  }

  /**
   * Adds a line of prose. Blank lines at the start and the end of the comment
   * are omitted.
   */
  #line(raw: string): void {
    const line = this.#count === 0 ? raw.trim() : raw.trimEnd();
    if (line === "") this.#isBlankPending = this.#count > 0;
    else if (line.length <= this.#width) this.#add(line);
    else this.#wrap(line);
  }

  /**
   * Wraps a long line at spaces. A word that is longer than the maximum line
   * length is not split.
   */
  #wrap(line: string): void {
    let start = line.length - line.trimStart().length;
    const margin = line.slice(0, Math.min(start, 8));
    const width = this.#width - margin.length;
    while (line.length - start > width) {
      let cut = line.lastIndexOf(" ", start + width);
      if (cut <= start) cut = line.indexOf(" ", start + width);
      if (cut === -1) break;
      this.#add((margin + line.slice(start, cut)).trimEnd());
      start = cut + 1;
      while (line.charCodeAt(start) === 32) start++;
    }
    if (start < line.length) this.#add(margin + line.slice(start));
  }

  /**
   * Adds a line to the comment. An `@` at the start of the line is escaped,
   * because it would start a tag. Only the `@deprecated` tag is not escaped.
   */
  #add(prose: string): void {
    const isTag = /^ *@(?!deprecated)/.test(prose);
    const line = isTag ? prose.replace("@", "\\@") : prose;
    if (this.#isBlankPending) this.#text += `${this.margin} *\n`;
    this.#isBlankPending = false;
    if (this.#count++ === 0) this.#first = line;
    this.#text += `${this.#prefix}${line}\n`;
  }

  finish(): Code {
    const { margin } = this;
    if (this.#count === 0) return EMPTY;
    if (this.#count === 1 && margin.length + this.#first.length + 7 <= WIDTH) {
      return new Code(`${margin}/** ${this.#first} */\n`);
    }
    return new Code(`${margin}/**\n${this.#text}${margin} */\n`);
  }
}

/**
 * Escapes text that would end the comment, and each `@` that would start a tag.
 */
function escapeTags(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replace(/\*(?=\/)/g, "*\\");
  if (safe.includes("@")) safe = safe.replace(/(^|[\s{(*])@(?=\S)/gm, "$1\\@");
  return safe;
}

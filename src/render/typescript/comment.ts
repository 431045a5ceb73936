import { Code, EMPTY, plainText } from "./code.js";
import { WIDTH } from "./layout.js";
import { breakLists } from "./lists.js";

/** Contents of a doc comment. */
export interface Doc {
  /** Prose of the document, which is not trusted. */
  readonly description?: string | undefined;
  /** Lines after the description, "" for a blank one; may contain text of the document. */
  readonly notes?: readonly string[] | undefined;
  /** Adds an @deprecated tag, with the reason if the description states one. */
  readonly deprecated?: boolean | undefined;
}

/** Matches text that must be escaped or split into lines before it is printed. */
const NEEDS_ESCAPE = /[^ -~]|\*\/|@/;

/** Matches a description that only states the reason of a deprecation. */
const DEPRECATED = /^\s*(?:\[Deprecated\]|Deprecated)[:.,]\s*(\S[\s\S]*)$/i;

/** Returns a doc comment with its indentation and line feed; empty without contents. */
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

/** Text of a comment, built line by line. Most comments have one line. */
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

  /** Adds a block after a blank line. */
  section(paragraphs: readonly string[], tag = ""): void {
    this.#isBlankPending = this.#count > 0;
    for (const paragraph of paragraphs) {
      if (paragraph === "" && tag === "")
        this.#isBlankPending = this.#count > 0;
      else this.prose(paragraph, tag);
    }
  }

  /** Adds prose, wrapped, with the ends of comments and starts of tags escaped. */
  prose(prose: string, tag = ""): void {
    if (prose === "" && tag === "") return;
    if (!NEEDS_ESCAPE.test(prose)) return this.#line(tag + prose);
    let rest = tag;
    for (const line of escapeTags(plainText(prose)).split("\n")) {
      this.#line(rest + line);
      rest = "";
    }
  }

  /** Adds a line of prose. Blank lines are printed only between others. */
  #line(raw: string): void {
    const line = this.#count === 0 ? raw.trim() : raw.trimEnd();
    if (line === "") this.#isBlankPending = this.#count > 0;
    else if (line.length <= this.#width) this.#add(line);
    else this.#wrap(line);
  }

  /** Breaks a long line at spaces; a word longer than the line is not broken. */
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

  /** Adds a printed line. An @ at its start would be a tag; only @deprecated is. */
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

/** Escapes the end of a comment, and an @ that would start a tag. */
function escapeTags(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replace(/\*(?=\/)/g, "*\\");
  if (safe.includes("@")) safe = safe.replace(/(^|[\s{(*])@(?=\S)/gm, "$1\\@");
  return safe;
}

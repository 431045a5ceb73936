import { Code, EMPTY, plainText } from "./code.js";
import { breakLists } from "./lists.js";

/** What a doc comment says. */
export interface Doc {
  /** Prose of the document; hostile. */
  readonly description?: string | undefined;
  /** Facts about the value, a line each, "" for a blank one; may hold text of the document. */
  readonly notes?: readonly string[] | undefined;
  /** Adds an @deprecated tag, with a text behind it where there is one. */
  readonly deprecated?: boolean | undefined;
}

const WIDTH = 80;

/** Text that holds none of these is harmless in a comment as it is. */
const SUSPICIOUS = /[^ -~]|\*\/|@/;

/** A description that is nothing but the reason belongs behind the tag. */
const DEPRECATED = /^\s*(?:\[Deprecated\]|Deprecated)[:.,]\s*(\S[\s\S]*)$/i;

/**
 * A doc comment with its own indentation and line end, or nothing where there
 * is nothing to say.
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

/** Gathers lines as the text of a comment; most comments have one. */
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

  /** A block set off by a blank line from what stands before it. */
  section(paragraphs: readonly string[], tag = ""): void {
    this.#isBlankPending = this.#count > 0;
    for (const paragraph of paragraphs) {
      if (paragraph === "" && tag === "")
        this.#isBlankPending = this.#count > 0;
      else this.prose(paragraph, tag);
    }
  }

  /** Prose, wrapped, without anything that ends a comment or starts a tag. */
  prose(prose: string, tag = ""): void {
    if (prose === "" && tag === "") return;
    if (!SUSPICIOUS.test(prose)) return this.#line(tag + prose);
    let rest = tag;
    for (const line of defuse(plainText(prose)).split("\n")) {
      this.#line(rest + line);
      rest = "";
    }
  }

  /** One line of prose; blank ones are kept only between others. */
  #line(raw: string): void {
    const line = this.#count === 0 ? raw.trim() : raw.trimEnd();
    if (line === "") this.#isBlankPending = this.#count > 0;
    else if (line.length <= this.#width) this.#add(line);
    else this.#wrap(line);
  }

  /** Breaks a long line at spaces; a word longer than the line stays whole. */
  #wrap(line: string): void {
    let start = line.length - line.trimStart().length;
    const margin = line.slice(0, Math.min(start, 8));
    const room = this.#width - margin.length;
    while (line.length - start > room) {
      let cut = line.lastIndexOf(" ", start + room);
      if (cut <= start) cut = line.indexOf(" ", start + room);
      if (cut === -1) break;
      this.#add((margin + line.slice(start, cut)).trimEnd());
      start = cut + 1;
      while (line.charCodeAt(start) === 32) start++;
    }
    if (start < line.length) this.#add(margin + line.slice(start));
  }

  /** Even a lone @ starts a tag where it starts a line; ours is the one allowed. */
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

/** A comment's end, and an @ that would start a tag of its own. */
function defuse(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replace(/\*(?=\/)/g, "*\\");
  if (safe.includes("@")) safe = safe.replace(/(^|[\s{(*])@(?=\S)/gm, "$1\\@");
  return safe;
}

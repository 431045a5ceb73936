import { Code, EMPTY, plainText } from "./code.js";

/** What a doc comment says. */
export interface Doc {
  /** Prose of the document; hostile. */
  readonly description?: string | undefined;
  /** Facts about the value, a line each, "" for a blank one; may hold text of the document. */
  readonly notes?: readonly string[];
  /** Adds an @deprecated tag, with a text behind it where there is one. */
  readonly deprecated?: boolean | undefined;
}

const WIDTH = 80;

/**
 * A doc comment with its own indentation and line end, or nothing where there
 * is nothing to say.
 */
export function docComment(doc: Doc, indent: number): Code {
  const width = Math.max(WIDTH - indent - 3, 40);
  const reason =
    doc.deprecated === true
      ? DEPRECATED.exec(doc.description ?? "")?.[1]
      : undefined;
  const sections = [
    reason === undefined ? proseLines(doc.description ?? "", width) : [],
    (doc.notes ?? []).flatMap((note) =>
      note === "" ? [""] : proseLines(note, width),
    ),
    doc.deprecated === true ? deprecatedTag(reason ?? "", width) : [],
  ];
  const lines = sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ["", ...section]));
  return lines.length === 0
    ? EMPTY
    : new Code(layOut(lines, " ".repeat(indent)));
}

/** A description that is nothing but the reason belongs behind the tag. */
const DEPRECATED = /^\s*(?:\[Deprecated\]|Deprecated)[:.,]\s*(\S[\s\S]*)$/i;

function deprecatedTag(reason: string, width: number): string[] {
  const [first = "", ...rest] = proseLines(
    reason,
    width - "@deprecated ".length,
  );
  return [`@deprecated ${first}`.trimEnd(), ...rest];
}

function layOut(lines: readonly string[], margin: string): string {
  const [only = ""] = lines;
  if (lines.length === 1 && margin.length + only.length + 7 <= WIDTH)
    return `${margin}/** ${only} */\n`;
  let text = `${margin}/**\n`;
  for (const line of lines)
    text += line === "" ? `${margin} *\n` : `${margin} * ${line}\n`;
  return `${text}${margin} */\n`;
}

/** Prose as comment lines: wrapped, without anything that ends or tags a comment. */
function proseLines(prose: string, width: number): string[] {
  if (prose === "") return [];
  const lines: string[] = [];
  for (const raw of defuse(plainText(prose)).split("\n")) {
    const line = raw.trimEnd();
    if (line.length <= width) {
      if (line !== "" || (lines.length > 0 && lines.at(-1) !== ""))
        lines.push(line);
    } else {
      wrap(line, width, lines);
    }
  }
  while (lines.at(-1) === "") lines.pop();
  if (lines.length > 0) lines[0] = lines[0]!.trimStart();
  return lines;
}

/** A comment's end, and an @ that would start a tag of its own. */
function defuse(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replace(/\*(?=\/)/g, "*\\");
  if (safe.includes("@")) safe = safe.replace(/(^|[\s{(*])@(?=\w)/gm, "$1\\@");
  return safe;
}

/** Breaks a long line at spaces; a word longer than the line stays whole. */
function wrap(line: string, width: number, lines: string[]): void {
  const margin = " ".repeat(Math.min(line.length - line.trimStart().length, 8));
  let rest = line.trimStart();
  const room = width - margin.length;
  while (rest.length > room) {
    let cut = rest.lastIndexOf(" ", room);
    if (cut <= 0) cut = rest.indexOf(" ", room);
    if (cut === -1) break;
    lines.push(margin + rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut + 1).trimStart();
  }
  if (rest !== "") lines.push(margin + rest);
}

import { knowledge } from "../schema/property-index.js";
import type { Lines } from "./lines.js";

/** A common mistake near the place where a YAML reader stopped. */
export interface Mistake {
  readonly offset: number;
  readonly message: string;
}

/** Lines before and after the place that are looked at. */
const REACH = [0, 1, -1];

/** Explains why a text is not YAML by mistakes that people make; undefined if none is near. */
export function findMistake(lines: Lines, offset: number): Mistake | undefined {
  const { line } = lines.positionOf(Math.min(offset, lines.text.length));
  const near = REACH.map((step) => line + step).filter(
    (number) => number > 0 && number <= lines.count,
  );
  for (const find of [tabIn, tightColon, tightDash])
    for (const number of near) {
      const found = find(lines.lineText(number));
      if (found === undefined) continue;
      const start = lines.startOf(number);
      return { ...found, offset: start + found.offset };
    }
  return wrongIndent(lines, near);
}

function tabIn(text: string): Mistake | undefined {
  const tab = /^[ -]*\t/.exec(text);
  return tab === null
    ? undefined
    : {
        offset: tab[0].length - 1,
        message: "a tab is used for indentation; YAML takes spaces only",
      };
}

function tightColon(text: string): Mistake | undefined {
  const found = /^[ ]*(?:- +)*([\w-]+):(?=[^\s/:])/.exec(text);
  if (found === null || !knowledge().byKey.has(found[1]!)) return undefined;
  return {
    offset: found[0].length - 1,
    message: `a space is missing after the colon of "${found[1]}"`,
  };
}

function tightDash(text: string): Mistake | undefined {
  const found = /^[ ]*-([\w-]+) *:/.exec(text);
  if (found === null || !knowledge().byKey.has(found[1]!)) return undefined;
  return {
    offset: text.indexOf("-"),
    message: `a space is missing between the dash and "${found[1]}"`,
  };
}

/** A column at which a block begins, and the line of its last key or dash. */
interface Column {
  readonly at: number;
  readonly line: number;
}

/** A line whose column is that of no block around it, if it is one of some lines. */
function wrongIndent(
  lines: Lines,
  near: readonly number[],
): Mistake | undefined {
  const last = Math.max(...near);
  const open: Column[] = [];
  let opens = true;
  let textColumn = Infinity;
  for (let line = 1; line <= last; line++) {
    const text = lines.lineText(line);
    const [head, space = "", dashes = ""] = /^( *)((?:- +)*)/.exec(text)!;
    const rest = text.slice(head.length).trimEnd();
    const indent = space.length;
    if (rest === "" || rest.startsWith("#")) continue;
    // Lines of a block of text are indented as they like.
    if (indent > textColumn) continue;
    textColumn = Infinity;
    const other = conflicting(open, indent, opens);
    if (other !== undefined && near.includes(line))
      return {
        offset: lines.startOf(line) + indent,
        message: `this line is indented by ${spaces(indent)}, line ${other.line} by ${spaces(other.at)}`,
      };
    while (open.length > 0 && open.at(-1)!.at >= indent) open.pop();
    for (let at = 0; at <= dashes.length; at++)
      if (at === 0 || dashes[at - 1] === " ")
        if (at === dashes.length || dashes[at] === "-")
          open.push({ at: indent + at, line });
    opens = opensBlock(rest);
    if (/:\s*[|>][-+0-9]*\s*$/.test(rest.slice(-200)))
      textColumn = open.at(-1)!.at;
  }
  return undefined;
}

/** Whether deeper lines may follow: `key:` or a dash alone, with or without a comment. */
function opensBlock(rest: string): boolean {
  const comment = rest.indexOf(" #");
  const own = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  return own.endsWith(":") || own === "-";
}

/** The block that a line was meant to belong to; undefined if its column is right. */
function conflicting(
  open: readonly Column[],
  indent: number,
  opens: boolean,
): Column | undefined {
  const top = open.at(-1);
  if (top === undefined) return undefined;
  if (indent > top.at) return opens ? undefined : top;
  for (let index = open.length - 1; index >= 0; index--) {
    const { at } = open[index]!;
    if (at === indent) return undefined;
    if (at < indent) return open[index + 1];
  }
  return open[0];
}

function spaces(count: number): string {
  return count === 1 ? "1 space" : `${count} spaces`;
}

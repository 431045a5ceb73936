import { formatCount } from "../../diagnostics/format-count.js";
import { propertyIndex } from "../schema/property-index.js";
import type { LineIndex } from "./source-text.js";

/** Common mistake that causes a syntax error. */
interface Mistake {
  readonly offset: number;
  readonly message: string;
}

/**
 * Lines that are searched for a common mistake, in this order. Each number is
 * relative to the line of the syntax error.
 */
const LINE_OFFSETS = [0, 1, -1];

/**
 * Returns a common mistake that explains a syntax error. The mistake is on the
 * line of the error or on an adjacent line. Returns undefined if none is found.
 */
export function findMistake(
  lines: LineIndex,
  offset: number,
): Mistake | undefined {
  const { line } = lines.positionOf(Math.min(offset, lines.text.length));
  const near = LINE_OFFSETS.map((step) => line + step).filter(
    (number) => number > 0 && number <= lines.count,
  );
  for (const find of [
    findTab,
    findMissingSpaceAfterColon,
    findMissingSpaceAfterDash,
  ])
    for (const number of near) {
      const found = find(lines.lineText(number));
      if (found === undefined) continue;
      const start = lines.startOf(number);
      return { ...found, offset: start + found.offset };
    }
  return findWrongIndentation(lines, near);
}

function findTab(text: string): Mistake | undefined {
  const tab = /^[ -]*\t/.exec(text);
  return tab === null
    ? undefined
    : {
        offset: tab[0].length - 1,
        message: "a tab is used for indentation; YAML allows only spaces",
      };
}

function findMissingSpaceAfterColon(text: string): Mistake | undefined {
  const found = /^[ ]*(?:- +)*([\w-]+):(?=[^\s/:])/.exec(text);
  if (found === null || !propertyIndex().byKey.has(found[1]!)) return undefined;
  return {
    offset: found[0].length - 1,
    message: `a space is missing after the colon of "${found[1]}"`,
  };
}

function findMissingSpaceAfterDash(text: string): Mistake | undefined {
  const found = /^[ ]*-([\w-]+) *:/.exec(text);
  if (found === null || !propertyIndex().byKey.has(found[1]!)) return undefined;
  return {
    offset: text.indexOf("-"),
    message: `a space is missing between the dash and "${found[1]}"`,
  };
}

/**
 * Column of a block, and the last line with a key or list dash in this column.
 */
interface BlockColumn {
  readonly at: number;
  readonly line: number;
}

/**
 * Returns the first of the given lines that does not begin in the column of any
 * enclosing block.
 */
function findWrongIndentation(
  lines: LineIndex,
  near: readonly number[],
): Mistake | undefined {
  const last = Math.max(...near);
  const openBlocks: BlockColumn[] = [];
  let opens = true;
  let textColumn = Infinity;
  for (let line = 1; line <= last; line++) {
    const text = lines.lineText(line);
    const [head, space = "", dashes = ""] = /^( *)((?:- +)*)/.exec(text)!;
    const rest = text.slice(head.length).trimEnd();
    const indent = space.length;
    if (rest === "" || rest.startsWith("#")) continue;
    // Lines of a block scalar can be indented by any number of spaces, as long
    // as they are indented more deeply than the key.
    if (indent > textColumn) continue;
    textColumn = Infinity;
    const other = intendedBlock(openBlocks, indent, opens);
    if (other !== undefined && near.includes(line))
      return {
        offset: lines.startOf(line) + indent,
        message: `this line is indented by ${spaces(indent)}, but line ${other.line} is indented by ${spaces(other.at)}`,
      };
    while (openBlocks.length > 0 && openBlocks.at(-1)!.at >= indent)
      openBlocks.pop();
    for (let at = 0; at <= dashes.length; at++)
      if (at === 0 || dashes[at - 1] === " ")
        if (at === dashes.length || dashes[at] === "-")
          openBlocks.push({ at: indent + at, line });
    opens = opensBlock(rest);
    if (/:\s*[|>][-+0-9]*\s*$/.test(rest.slice(-200)))
      textColumn = openBlocks.at(-1)!.at;
  }
  return undefined;
}

/**
 * Tests whether the next line can be indented more deeply: the current line,
 * without its trailing comment, ends with `key:` or is a list dash.
 */
function opensBlock(rest: string): boolean {
  const comment = rest.indexOf(" #");
  const content = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  return content.endsWith(":") || content === "-";
}

/**
 * Returns the block to which a line was probably meant to belong; undefined if
 * the column of the line is valid.
 */
function intendedBlock(
  openBlocks: readonly BlockColumn[],
  indent: number,
  opens: boolean,
): BlockColumn | undefined {
  const top = openBlocks.at(-1);
  if (top === undefined) return undefined;
  if (indent > top.at) return opens ? undefined : top;
  for (let index = openBlocks.length - 1; index >= 0; index--) {
    const { at } = openBlocks[index]!;
    if (at === indent) return undefined;
    if (at < indent) return openBlocks[index + 1];
  }
  return openBlocks[0];
}

function spaces(count: number): string {
  return formatCount(count, "space");
}

import type { Lines } from "../document/lines.js";
import type { MapNode, Node, Range } from "../document/tree.js";
import { lastKey } from "../path.js";
import { knowledge } from "../schema/load.js";
import { editsBetween } from "../suggest.js";

/** Keys whose values nobody should see, however they are spelled. */
const SECRET =
  /pass|pwd|secret$|token|credential|encryption|(^|_)key$|username|private/i;

/** A line as a report may show it, and where a column of the file is in it. */
export interface ShownLine {
  readonly text: string;
  readonly column: number;
}

/** Shows a line; numbers and columns from 1. */
export type ShowLine = (line: number, column: number) => ShownLine;

const MASK = "***";

/** Shows lines of a file without values of secrets, also of those that are misspelled. */
export function maskSecrets(lines: Lines, root?: MapNode): ShowLine {
  if (root === undefined)
    return (line, column) => ({ text: maskText(lines, line), column });
  let ranges: readonly Range[] | undefined;
  return (line, column) => {
    ranges ??= secretsOf(root);
    return maskRanges(lines, line, column, ranges);
  };
}

/** Whether a key that no version knows is likely to hold a secret. */
function looksSecret(key: string): boolean {
  const word = key.toLowerCase();
  return (
    SECRET.test(key) ||
    secretKeys().some((name) => editsBetween(word, name, 3) < 3)
  );
}

let names: readonly string[] | undefined;

/** The keys of the table whose values are secrets, in lower case. */
function secretKeys(): readonly string[] {
  names ??= [
    ...new Set(
      knowledge()
        .table.rows.filter(({ secret }) => secret === true)
        .map(({ path }) => lastKey(path).toLowerCase()),
    ),
  ];
  return names;
}

function secretsOf(root: MapNode): Range[] {
  const { byPath } = knowledge();
  const ranges: Range[] = [];
  const seen = new Set<Node>();
  const visit = (node: Node, path: string): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === "list")
      for (const item of node.items) visit(item, `${path}[]`);
    if (node.kind !== "map") return;
    for (const { key, value } of node.entries) {
      const own = path === "" ? key : `${path}.${key}`;
      const row = byPath.get(own)?.row;
      const isHidden =
        row === undefined
          ? looksSecret(key) || path.startsWith("cassandra.auth")
          : row.secret === true;
      if (isHidden) ranges.push(value.range);
      visit(value, own);
    }
  };
  visit(root, "");
  return ranges.sort((a, b) => a.start - b.start);
}

function maskRanges(
  lines: Lines,
  line: number,
  column: number,
  ranges: readonly Range[],
): ShownLine {
  const start = lines.startOf(line);
  const text = lines.lineText(line);
  let shown = "";
  let at = 0;
  let moved = 0;
  for (const range of ranges) {
    const from = Math.max(at, range.start - start);
    const to = Math.min(text.length, range.end - start);
    if (from >= to) continue;
    shown += text.slice(at, from) + MASK;
    if (to < column) moved += to - from - MASK.length;
    at = to;
  }
  return { text: shown + text.slice(at), column: column - moved };
}

const KEYED = /^(\s*(?:- +)*["']?([\w.-]+)["']?\s*:\s*)(.*)$/;

/** A comment with what may be a secret taken out. */
export function maskComment(text: string): string {
  const keyed = /^(#[#\s-]*["']?([\w.-]+)["']?\s*:\s*)(\S.*)$/.exec(text);
  if (keyed === null) return SECRET.test(text) ? `# ${MASK}` : text;
  const [, head = "", key = "", value = ""] = keyed;
  return looksSecret(key) || SECRET.test(value) ? `${head}${MASK}` : text;
}

/** A line of a text that is no YAML yet. */
function maskText(lines: Lines, line: number): string {
  const text = lines.lineText(line);
  const keyed = KEYED.exec(text);
  if (keyed !== null) {
    const [, head = "", key = "", value = ""] = keyed;
    const isHidden = looksSecret(key) && value.trim() !== "";
    return isHidden || SECRET.test(value) ? `${head}${MASK}` : text;
  }
  const above = keyAbove(lines, line);
  return above !== undefined && looksSecret(above) ? MASK : text;
}

function keyAbove(lines: Lines, line: number): string | undefined {
  for (let number = line - 1; number > 0; number--) {
    const keyed = KEYED.exec(lines.lineText(number));
    if (keyed !== null) return keyed[2];
  }
  return undefined;
}

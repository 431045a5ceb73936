import type { ScalarNode } from "../document/tree.js";
import type { Context } from "./context.js";

/** S02: a list item that is indented deeper than the one above it becomes part of its text. */
export function reportContinued(
  context: Context,
  { isPlain, text, range }: ScalarNode,
  path: string,
): boolean {
  const next = isPlain ? text.search(/\n *- /) : -1;
  if (next < 0) return false;
  const start = range.start + next + 1;
  const at = start + text.slice(next + 1).indexOf("-");
  const { line, column } = context.lines.positionOf(at);
  const above = context.lines.positionOf(range.start);
  context.explain(path);
  context.report(
    "S02",
    { start: at, end: at + 1 },
    path,
    `line ${line} is read as text of line ${above.line}, since it is indented by ${column - 1} spaces`,
    { suggestion: `indent the dash like the one in line ${above.line}` },
  );
  return true;
}

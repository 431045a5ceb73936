import type { ScalarNode } from "../document/tree.js";
import type { RuleContext } from "./rule-context.js";

/**
 * Rule S02: reports a list item that YAML parses as a continuation of the text
 * above it, because it is indented too deeply.
 */
export function reportContinued(
  context: RuleContext,
  { isPlain, text, range }: ScalarNode,
  path: string,
): boolean {
  const next = isPlain ? text.search(/\n *- /) : -1;
  if (next < 0) return false;
  const start = range.start + next + 1;
  const at = start + text.slice(next + 1).indexOf("-");
  const { line, column } = context.lines.positionOf(at);
  const above = context.lines.positionOf(range.start);
  context.markReported(path);
  context.report(
    "S02",
    { start: at, end: at + 1 },
    path,
    `line ${line} is read as a continuation of line ${above.line}, because it is indented by ${column - 1} spaces`,
    { suggestion: `indent the dash like the one on line ${above.line}` },
  );
  return true;
}

import { literalKey } from "./code.js";
import {
  breaks,
  callOf,
  choice,
  ENTRIES,
  hang,
  ITEMS,
  list,
  print,
  type Layout,
} from "./layout.js";

/**
 * TypeScript expression as a tree. A string is source code that is printed
 * unchanged.
 */
export type Expression = string | CallExpression | ObjectExpression;

interface CallExpression {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expression[];
}

interface ObjectExpression {
  readonly kind: "object";
  readonly spread?: readonly Expression[];
  readonly entries: readonly (readonly [key: string, value: Expression])[];
  /**
   * True to print each entry on its own line, even if all entries fit on one
   * line.
   */
  readonly open: boolean;
}

/**
 * Maximum length of a short key. After a short key, Prettier leaves a long
 * string on the same line.
 */
const SHORT_KEY = 4;

/**
 * Prints an expression. One column is reserved for a character after the
 * expression, such as a semicolon.
 * @param indentation columns at the start of the line on which the expression
 *   begins
 * @param used columns before the expression on this line
 */
export function printExpression(
  expression: Expression,
  indentation: number,
  used: number,
): string {
  return print(expressionLayout(expression), indentation, used, 1);
}

function expressionLayout(expression: Expression): Layout {
  if (typeof expression === "string") return expression;
  return expression.kind === "call"
    ? callLayout(expression)
    : objectLayout(expression, expression.open);
}

/**
 * Returns a call. If the call does not fit on one line and its last argument is
 * an object, only this object is broken across lines.
 */
function callLayout({ name, args }: CallExpression): Layout {
  const layouts = args.map(expressionLayout);
  const last = args.at(-1);
  const head = layouts.slice(0, -1);
  if (typeof last !== "object" || last.kind !== "object" || head.some(breaks))
    return callOf(name, ...layouts);
  const before = `${name}(`;
  const separated = head.flatMap((layout) => [layout, ", "]);
  return choice(
    [before, ...separated, layouts.at(-1)!, ")"],
    [before, ...separated, objectLayout(last, true), ")"],
    list(before, layouts, ")", ITEMS, true),
  );
}

function objectLayout(
  { spread = [], entries }: ObjectExpression,
  isBroken: boolean,
): Layout {
  const items: Layout[] = spread.map((part) => ["...", expressionLayout(part)]);
  for (const [key, value] of entries) items.push(entryLayout(key, value));
  return list("{", items, "}", ENTRIES, isBroken || items.some(breaks));
}

function entryLayout(key: string, value: Expression): Layout {
  const name = literalKey(key).text;
  const isText = typeof value === "string" && /^["']/.test(value);
  return isText && name.length <= SHORT_KEY
    ? `${name}: ${value}`
    : hang(`${name}:`, expressionLayout(value));
}

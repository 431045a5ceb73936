import { literalKey } from "./code.js";

/** An expression as a tree, laid out as Prettier does. */
export type Expression =
  | string
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Expression[];
    }
  | {
      readonly kind: "object";
      readonly spread?: Expression | undefined;
      readonly entries: readonly (readonly [key: string, value: Expression])[];
      /** Always a line for each entry, even where one would do. */
      readonly open: boolean;
    };

const WIDTH = 80;

/** The expression on one line; undefined where it is never on one. */
function inline(expression: Expression): string | undefined {
  if (typeof expression === "string") return expression;
  if (expression.kind === "call") {
    const args = expression.args.map(inline);
    return args.includes(undefined)
      ? undefined
      : `${expression.name}(${args.join(", ")})`;
  }
  if (expression.open) return undefined;
  return `{ ${expression.entries.map(([key, value]) => `${literalKey(key).text}: ${inline(value)}`).join(", ")} }`;
}

/**
 * Lays an expression out.
 * @param indent of the line that it starts on
 * @param used columns of that line before it; one follows it
 */
export function layOutExpression(
  expression: Expression,
  indent: number,
  used: number,
): string {
  const line = inline(expression);
  if (
    line !== undefined &&
    (used + line.length + 1 <= WIDTH || typeof expression === "string")
  )
    return line;
  if (typeof expression === "string") return expression;
  return expression.kind === "call"
    ? layOutCall(expression, indent, used)
    : layOutObject(expression, indent);
}

/** A last argument that is an object hugs the parentheses, if the line with its brace fits. */
function layOutCall(
  { name, args }: Extract<Expression, { kind: "call" }>,
  indent: number,
  used: number,
): string {
  const last = args.at(-1);
  const head = args.slice(0, -1).map(inline);
  if (
    typeof last === "object" &&
    last.kind === "object" &&
    !head.includes(undefined)
  ) {
    const opening = `${name}(${head.map((arg) => `${arg}, `).join("")}`;
    if (used + opening.length + 1 <= WIDTH)
      return `${opening}${layOutObject(last, indent)})`;
  }
  const pad = " ".repeat(indent + 2);
  const lines = args.map(
    (arg) => `${pad}${layOutExpression(arg, indent + 2, indent + 2)},`,
  );
  return `${name}(\n${lines.join("\n")}\n${" ".repeat(indent)})`;
}

function layOutObject(
  { spread, entries }: Extract<Expression, { kind: "object" }>,
  indent: number,
): string {
  if (entries.length === 0 && spread === undefined) return "{}";
  const pad = " ".repeat(indent + 2);
  const lines =
    spread === undefined
      ? []
      : [`${pad}...${layOutExpression(spread, indent + 2, indent + 5)},`];
  for (const [key, value] of entries) {
    const name = literalKey(key).text;
    lines.push(
      `${pad}${name}: ${layOutExpression(value, indent + 2, indent + 2 + name.length + 2)},`,
    );
  }
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

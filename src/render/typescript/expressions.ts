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
      readonly spread?: readonly Expression[];
      readonly entries: readonly (readonly [key: string, value: Expression])[];
      /** Always a line for each entry, even where one would do. */
      readonly open: boolean;
    };

const WIDTH = 80;

/** Behind a key this short a long string stays on the line (Prettier's rule). */
const SHORT_KEY = 4;

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

/** The line up to the brace of a last argument that is an object, if it fits. */
function hugging(
  { name, args }: Extract<Expression, { kind: "call" }>,
  used: number,
): string | undefined {
  const last = args.at(-1);
  const head = args.slice(0, -1).map(inline);
  if (typeof last !== "object" || last.kind !== "object") return undefined;
  if (head.includes(undefined)) return undefined;
  const text = `${name}(${head.map((arg) => `${arg}, `).join("")}{`;
  return used + text.length <= WIDTH ? text : undefined;
}

/** A last argument that is an object hugs the parentheses, else each has a line. */
function layOutCall(
  call: Extract<Expression, { kind: "call" }>,
  indent: number,
  used: number,
): string {
  const { name, args } = call;
  const line = hugging(call, used);
  if (line !== undefined) {
    const object = args.at(-1) as Extract<Expression, { kind: "object" }>;
    return `${line.slice(0, -1)}${layOutObject(object, indent)})`;
  }
  const pad = " ".repeat(indent + 2);
  const lines = args.map(
    (arg) => `${pad}${layOutExpression(arg, indent + 2, indent + 2)},`,
  );
  return `${name}(\n${lines.join("\n")}\n${" ".repeat(indent)})`;
}

/**
 * A string that does not fit goes to a line of its own, unless its key is
 * short; anything else does where not even its first line fits.
 */
function entry(name: string, value: Expression, indent: number): string {
  const used = indent + name.length + 2;
  const isText = typeof value === "string" && /^["']/.test(value);
  const fits = used + opening(value, used).length <= WIDTH;
  return fits || (isText && name.length <= SHORT_KEY)
    ? `${name}: ${layOutExpression(value, indent, used)}`
    : `${name}:\n${" ".repeat(indent + 2)}${layOutExpression(value, indent + 2, indent + 2)}`;
}

/** The first line of an entry's value, with the comma if it is the only one. */
function opening(value: Expression, used: number): string {
  const line = inline(value);
  if (typeof value === "string") return `${value},`;
  if (line !== undefined && used + line.length + 1 <= WIDTH) return `${line},`;
  if (value.kind === "object") return "{";
  return hugging(value, used) ?? `${value.name}(`;
}

function layOutObject(
  { spread = [], entries }: Extract<Expression, { kind: "object" }>,
  indent: number,
): string {
  if (entries.length === 0 && spread.length === 0) return "{}";
  const pad = " ".repeat(indent + 2);
  const lines = spread.map(
    (part) => `${pad}...${layOutExpression(part, indent + 2, indent + 5)},`,
  );
  for (const [key, value] of entries) {
    lines.push(`${pad}${entry(literalKey(key).text, value, indent + 2)},`);
  }
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

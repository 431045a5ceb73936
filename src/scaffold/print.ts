import { isBareKey } from "../model/names.js";
import { quote } from "../render/typescript/code.js";
import type { Handler, Member } from "./tree.js";

/** How a file is written. */
export interface Style {
  /** `\n` or `\r\n`. */
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  readonly quote: '"' | "'";
  /** `;` or nothing. */
  readonly end: string;
  /** What ApiError is called in the file. */
  readonly error: string;
}

/** How new files are written: in Prettier's style. */
export const PLAIN: Style = {
  eol: "\n",
  unit: "  ",
  quote: '"',
  end: ";",
  error: "ApiError",
};

const WIDTH = 80;

/** Members as an object literal has them, each with a comma behind it. */
export function printMembers(
  members: readonly Member[],
  indent: string,
  style: Style,
): string {
  return members
    .map((member) => `${indent}${printMember(member, indent, style)},`)
    .join(style.eol);
}

function printMember(member: Member, indent: string, style: Style): string {
  const { name, handler, members } = member;
  if (members === undefined) return printHandler(name, handler!, indent, style);
  // A literal's `__proto__:` sets the prototype; in brackets it is a name.
  const key =
    name === "__proto__" ? `[${text(name, style)}]` : keyOf(name, style);
  const inner = braces(members, indent, style);
  return handler === undefined
    ? `${key}: ${inner}`
    : `${key}: ${printBoth(handler, members, indent, style)}`;
}

function braces(
  members: readonly Member[],
  indent: string,
  style: Style,
): string {
  const { eol, unit } = style;
  return `{${eol}${printMembers(members, indent + unit, style)}${eol}${indent}}`;
}

/** `async get({ params }) { throw … }` */
function printHandler(
  name: string,
  { id, given }: Handler,
  indent: string,
  style: Style,
): string {
  const call = given.length === 0 ? "" : `{ ${given.join(", ")} }`;
  const body = throwing(id, given, indent + style.unit, style);
  return `async ${keyOf(name, style)}(${call}) {${style.eol}${body}${style.eol}${indent}}`;
}

/** A handler that is also a resource: a function with members. What they are given has no type there. */
function printBoth(
  { id }: Handler,
  members: readonly Member[],
  indent: string,
  style: Style,
): string {
  const { eol, unit, end } = style;
  const inside = indent + unit;
  const head = `async () => {${eol}${throwing(id, [], inside + unit, style)}${eol}${inside}}`;
  const rest = braces(members.map(withoutTypes), inside, style);
  void end;
  return `Object.assign(${eol}${inside}${head},${eol}${inside}${rest},${eol}${indent})`;
}

function withoutTypes(member: Member): Member {
  const { handler, members } = member;
  return {
    ...member,
    ...(handler === undefined ? {} : { handler: { ...handler, given: [] } }),
    ...(members === undefined ? {} : { members: members.map(withoutTypes) }),
  };
}

/** A method of a class, whose parameters would need types. */
export function printMethod(
  { name, handler }: Member,
  indent: string,
  style: Style,
): string {
  const body = throwing(handler!.id, [], indent + style.unit, style);
  return `${indent}async ${keyOf(name, style)}(): Promise<never> {${style.eol}${body}${style.eol}${indent}}`;
}

/** The caller is told that there is nothing yet; the log, what was asked for: no values of parameters, which may be keys. */
function throwing(
  id: string,
  given: readonly string[],
  indent: string,
  style: Style,
): string {
  const { eol, unit, error, end } = style;
  const message = text(`${id} is not implemented.`, style);
  const told = given
    .map((name) => (name === "params" ? "params: Object.keys(params)" : name))
    .join(", ");
  const cause = `{ cause: { ${told} } }`;
  const args = ["501", message, ...(given.length === 0 ? [] : [cause])];
  const head = `${indent}throw new ${error}(`;
  const flat = `${head}${args.join(", ")})${end}`;
  if (flat.length <= WIDTH) return flat;
  const hugged = `${head}501, ${message}, {`;
  if (given.length > 0 && hugged.length <= WIDTH)
    return `${hugged}${eol}${indent}${unit}cause: { ${told} },${eol}${indent}})${end}`;
  const lines = args.map((argument) => `${indent}${unit}${argument},`);
  return [head, ...lines, `${indent})${end}`].join(eol);
}

function keyOf(name: string, style: Style): string {
  return isBareKey(name) ? name : text(name, style);
}

/** A string literal in the file's quotes. */
export function text(value: string, style: Pick<Style, "quote">): string {
  const quoted = quote(value);
  const isPlain = !/["'\\]/.test(quoted.slice(1, -1));
  return style.quote === "'" && isPlain ? `'${quoted.slice(1, -1)}'` : quoted;
}

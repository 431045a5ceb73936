import { Code, propertyKey, quote } from "./code.js";

// One file, longer than most: printing a type is one recursion over its kinds.

/** A type as a tree, so that it can be laid out for the space there is. */
export type TypeTree =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "literal"; readonly value: string }
  | {
      readonly kind: "array";
      readonly of: TypeTree;
      readonly readonly?: boolean;
    }
  | { readonly kind: "tuple"; readonly of: readonly TypeTree[] }
  | { readonly kind: "index"; readonly of: TypeTree }
  | { readonly kind: "union"; readonly of: readonly TypeTree[] }
  | {
      readonly kind: "generic";
      readonly name: string;
      readonly args: readonly TypeTree[];
    }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "intersection"; readonly of: readonly TypeTree[] };

export interface Member {
  readonly key: string;
  readonly type: TypeTree;
  readonly readonly?: boolean;
}

const WIDTH = 80;

/** `(string & {})`: any other string, without losing completion of the known ones. */
export const OTHER_STRING: TypeTree = { kind: "name", name: "(string & {})" };

export function named(name: string): TypeTree {
  return { kind: "name", name };
}

export function generic(name: string, ...args: readonly TypeTree[]): TypeTree {
  return { kind: "generic", name, args };
}

/** The type on one line. */
export function flat(type: TypeTree): string {
  switch (type.kind) {
    case "name":
      return type.name;
    case "literal":
      return quote(type.value);
    case "array": {
      const element = flat(type.of);
      const wrapped = needsParentheses(type.of) ? `(${element})` : element;
      return `${type.readonly === true ? "readonly " : ""}${wrapped}[]`;
    }
    case "tuple":
      return `[${type.of.map(flat).join(", ")}]`;
    case "index":
      return `{ [key: string]: ${flat(type.of)} }`;
    case "union":
      return type.of.map(unionOption).join(" | ");
    case "intersection":
      return type.of.map(intersectionPart).join(" & ");
    case "generic":
      return `${type.name}<${type.args.map(flat).join(", ")}>`;
    case "object":
      return type.members.length === 0
        ? "{}"
        : `{ ${type.members.map(member).join("; ")} }`;
  }
}

/** Prettier keeps an intersection among the options of a union in parentheses. */
function unionOption(type: TypeTree): string {
  return type.kind === "intersection" ? `(${flat(type)})` : flat(type);
}

function intersectionPart(type: TypeTree): string {
  return type.kind === "union" ? `(${flat(type)})` : flat(type);
}

function member(entry: Member): string {
  return memberHead(entry) + flat(entry.type);
}

function memberHead({ key, readonly }: Member): string {
  return `${readonly === true ? "readonly " : ""}${propertyKey(key).text}: `;
}

function needsParentheses(type: TypeTree): boolean {
  return (
    type.kind === "union" ||
    type.kind === "intersection" ||
    (type.kind === "array" && type.readonly === true)
  );
}

/**
 * Lays a type out as Prettier does. The text of a union that does not fit
 * begins with a line feed.
 * @param indent columns that the line starts with
 * @param used columns taken on the line before the type
 * @param trailing columns that must follow it on its last line
 */
export function layOut(
  type: TypeTree,
  indent: number,
  used: number,
  trailing: number,
): string {
  const line = flat(type);
  if (used + line.length + trailing <= WIDTH && !mustBreak(type)) return line;
  const pad = " ".repeat(indent + 2);
  const end = `\n${" ".repeat(indent)}`;
  switch (type.kind) {
    case "array":
      return needsParentheses(type.of)
        ? line
        : `${layOut(type.of, indent, used, trailing + 2)}[]`;
    case "tuple":
      return `[\n${type.of.map((entry) => pad + layOut(entry, indent + 2, indent + 2, 1)).join(",\n")},${end}]`;
    case "index":
      return `{\n${indexLine(type.of, indent + 2)}${end}}`;
    case "generic":
      if (type.args.length === 1 && hugs(type.args[0]!))
        return `${type.name}<${layOut(type.args[0]!, indent, used + type.name.length + 1, trailing + 1)}>`;
      return `${type.name}<\n${type.args.map((arg, index) => pad + argument(arg, indent + 2, index < type.args.length - 1 ? 1 : 0)).join(",\n")}${end}>`;
    case "object":
      return `{\n${type.members.map((entry) => pad + memberLine(entry, indent + 2)).join("\n")}${end}}`;
    case "intersection":
      return layOutIntersection(type.of, indent, used, trailing);
    case "union":
      return `\n${pad}${layOutUnion(type.of, indent + 2, trailing, true)}`;
    default:
      return line;
  }
}

/** An only argument that names a type or is an object stays with the brackets. */
function hugs(type: TypeTree): boolean {
  return type.kind === "name"
    ? !type.name.startsWith("typeof ")
    : isObject(type);
}

/** A type argument on a line of its own; a union that is too long gets a line an option. */
function argument(type: TypeTree, indent: number, trailing: number): string {
  return type.kind === "union"
    ? layOutUnion(type.of, indent, trailing, false)
    : layOut(type, indent, indent, trailing);
}

/** Options on one line where they fit, else each on its own; the first line is indented. */
function layOutUnion(
  options: readonly TypeTree[],
  indent: number,
  trailing: number,
  isLast: boolean,
): string {
  const line = options.map(unionOption).join(" | ");
  if (indent + line.length + trailing <= WIDTH) return line;
  return options
    .map((option, index) => {
      const rest = isLast && index === options.length - 1 ? trailing : 0;
      if (option.kind !== "intersection")
        return `| ${layOut(option, indent + 2, indent + 2, rest)}`;
      return `| (${layOut(option, indent + 2, indent + 3, rest + 1)})`;
    })
    .join(`\n${" ".repeat(indent)}`);
}

/** Trees of resources are always spread over lines: that is how they are read. */
function mustBreak(type: TypeTree): boolean {
  if (type.kind === "object")
    return type.members.some((entry) => entry.readonly === true);
  return type.kind === "intersection" && type.of.some(mustBreak);
}

function memberLine(entry: Member, indent: number): string {
  const head = memberHead(entry);
  return `${head}${layOut(entry.type, indent, indent + head.length, 1)};`;
}

function indexLine(of: TypeTree, indent: number): string {
  const pad = " ".repeat(indent);
  const used = indent + "[key: string]: ".length;
  return used + opening(of, used, 1).length <= WIDTH
    ? `${pad}[key: string]: ${layOut(of, indent, used, 1)};`
    : `${pad}[\n${pad}  key: string\n${pad}]: ${layOut(of, indent, indent + 3, 1)};`;
}

/** The first line of a type, with what trails it if it is the only one. */
function opening(type: TypeTree, used: number, trailing: number): string {
  const line = flat(type) + ";".repeat(trailing);
  if (used + line.length <= WIDTH && !mustBreak(type)) return line;
  if (type.kind === "array" && !needsParentheses(type.of))
    return opening(type.of, used, trailing + 2);
  if (type.kind === "intersection") return opening(type.of[0]!, used, 2);
  if (isObject(type)) return "{";
  if (type.kind === "tuple") return "[";
  if (type.kind !== "generic") return line;
  const [only] = type.args;
  return type.args.length === 1 && hugs(only!)
    ? `${type.name}<${opening(only!, used + type.name.length + 1, trailing + 1)}`
    : `${type.name}<`;
}

/** A line ends between two names; an object follows on the same line. */
function layOutIntersection(
  parts: readonly TypeTree[],
  indent: number,
  used: number,
  trailing: number,
): string {
  let text = "";
  let column = used;
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    const isBroken =
      before !== undefined && !isObject(before) && !isObject(part);
    const margin = index > 1 || isBroken ? indent + 2 : indent;
    if (isBroken) {
      text += ` &\n${" ".repeat(indent + 2)}`;
      column = indent + 2;
    } else if (before !== undefined) {
      text += " & ";
      column += 3;
    }
    const next = parts[index + 1];
    const rest = next === undefined ? trailing : isObject(next) ? 4 : 2;
    const printed = layOut(part, margin, column, rest);
    const lineStart = printed.lastIndexOf("\n") + 1;
    column = printed.length - lineStart + (lineStart === 0 ? column : 0);
    text += printed;
  }
  return text;
}

function isObject(type: TypeTree): boolean {
  return type.kind === "object" || type.kind === "index";
}

/**
 * A type behind `export type X =`, with the blank or line feed before it: it
 * starts on the next line where not even its first line fits on this one.
 */
export function aliasCode(type: TypeTree, used: number): Code {
  const text = layOut(type, 0, used + 1, 1);
  if (text.startsWith("\n")) return new Code(text);
  const [first = ""] = `${text};`.split("\n", 1);
  const fits = used + 1 + first.length <= WIDTH;
  return new Code(fits ? ` ${text}` : `\n  ${layOut(type, 2, 2, 1)}`);
}

/** `name: type;` behind what stands before the type, laid out. */
export function typeCode(
  type: TypeTree,
  indent: number,
  used: number,
  trailing: number,
): Code {
  return new Code(layOut(type, indent, used, trailing));
}

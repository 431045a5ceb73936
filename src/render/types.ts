import { Code, quote } from "./code.js";
import { isIdentifier } from "../model/names.js";

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
      return type.of.map(flat).join(" | ");
    case "intersection":
      return type.of.map(flat).join(" & ");
    case "generic":
      return `${type.name}<${type.args.map(flat).join(", ")}>`;
    case "object":
      return `{ ${type.members.map(member).join("; ")} }`;
  }
}

function member({ key, type, readonly }: Member): string {
  return `${readonly === true ? "readonly " : ""}${isIdentifier(key) ? key : quote(key)}: ${flat(type)}`;
}

function needsParentheses(type: TypeTree): boolean {
  return (
    type.kind === "union" ||
    type.kind === "intersection" ||
    (type.kind === "array" && type.readonly === true)
  );
}

/**
 * Lays a type out as Prettier does.
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
      return `${type.name}<\n${type.args.map((arg, index) => pad + argument(arg, indent + 2, index < type.args.length - 1 ? 1 : 0)).join(",\n")}${end}>`;
    case "object":
      return `{\n${type.members.map((entry) => pad + memberLine(entry, indent + 2)).join("\n")}${end}}`;
    case "intersection":
      return layOutIntersection(type.of, indent, used, trailing);
    case "union":
      return type.of
        .map(
          (option) => `\n${pad}| ${layOut(option, indent + 4, indent + 4, 0)}`,
        )
        .join("");
    default:
      return line;
  }
}

/** A type argument on a line of its own; a union that is too long gets a line an option. */
function argument(type: TypeTree, indent: number, trailing: number): string {
  const isLong =
    type.kind === "union" && indent + flat(type).length + trailing > WIDTH;
  if (!isLong) return layOut(type, indent, indent, trailing);
  return type.of
    .map((option) => `| ${layOut(option, indent + 2, indent + 2, 0)}`)
    .join(`\n${" ".repeat(indent)}`);
}

/** Trees of resources are always spread over lines: that is how they are read. */
function mustBreak(type: TypeTree): boolean {
  if (type.kind === "object")
    return type.members.some((entry) => entry.readonly === true);
  return type.kind === "intersection" && type.of.some(mustBreak);
}

function memberLine({ key, type, readonly }: Member, indent: number): string {
  const head = `${readonly === true ? "readonly " : ""}${isIdentifier(key) ? key : quote(key)}: `;
  return `${head}${layOut(type, indent, indent + head.length, 1)};`;
}

function indexLine(of: TypeTree, indent: number): string {
  const pad = " ".repeat(indent);
  const body = layOut(of, indent, indent + 15, 1);
  const firstLine = body.includes("\n") ? body.split("\n", 1)[0]! : `${body};`;
  if (indent + 15 + firstLine.length <= WIDTH)
    return `${pad}[key: string]: ${body};`;
  return `${pad}[\n${pad}  key: string\n${pad}]: ${layOut(of, indent, indent + 3, 1)};`;
}

function layOutIntersection(
  parts: readonly TypeTree[],
  indent: number,
  used: number,
  trailing: number,
): string {
  const texts: string[] = [];
  let column = used;
  for (const [index, part] of parts.entries()) {
    const text = layOut(
      part,
      indent,
      column,
      index === parts.length - 1 ? trailing : 4,
    );
    texts.push(text);
    const lastLine = text.slice(text.lastIndexOf("\n") + 1);
    column = (text.includes("\n") ? lastLine.length : column + text.length) + 3;
  }
  return texts.join(" & ");
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

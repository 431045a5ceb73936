// This file is longer than 250 lines because it is one printer with a case for
// each kind of type; types can be nested.

import { Code, identifier, propertyKey, quote } from "./code.js";
import {
  breaks,
  group,
  hang,
  ifBroken,
  indent,
  join,
  LINE,
  list,
  MEMBERS,
  ITEMS,
  print,
  printFlat,
  SOFT_LINE,
  STEP,
  TYPE_ARGUMENTS,
  WIDTH,
  type Layout,
} from "./layout.js";

/** TypeScript type as a tree. */
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
  | ObjectType
  | { readonly kind: "intersection"; readonly of: readonly TypeTree[] };

/** Object type with the given members. */
export interface ObjectType {
  readonly kind: "object";
  readonly members: readonly Member[];
}

/** Member of an object type. */
export interface Member {
  readonly key: string;
  readonly type: TypeTree;
  readonly readonly?: boolean;
  /** True to add a `@deprecated` tag. The member must be readonly. */
  readonly deprecated?: boolean | undefined;
}

/**
 * Type that is added to a union of string literals to allow any other string.
 * With `string` instead, editors could not suggest the literals.
 */
export const OTHER_STRING: TypeTree = { kind: "name", name: "(string & {})" };

/** Returns a type that consists of only a name. */
export function named(name: string): TypeTree {
  return { kind: "name", name };
}

/** Returns a generic type with the given type arguments. */
export function generic(name: string, ...args: readonly TypeTree[]): TypeTree {
  return { kind: "generic", name, args };
}

/** Prints a type on one line. */
export function flat(type: TypeTree): string {
  return shortType(type) ?? printFlat(typeLayout(type));
}

/**
 * Prints a type on one line without a layout. Returns undefined for types that
 * contain members or operators whose layout depends on their context.
 */
function shortType(type: TypeTree): string | undefined {
  switch (type.kind) {
    case "name":
      return type.name;
    case "literal":
      return quote(type.value);
    case "array": {
      const element = shortType(type.of);
      if (element === undefined) return undefined;
      const array = needsParentheses(type.of)
        ? `(${element})[]`
        : `${element}[]`;
      return type.readonly === true ? `readonly ${array}` : array;
    }
    case "index": {
      const values = shortType(type.of);
      return values && `{ [key: string]: ${values} }`;
    }
    case "union":
      return shortTypes(type.of, " | ");
    case "generic": {
      const args = shortTypes(type.args, ", ");
      return args && `${type.name}<${args}>`;
    }
    default:
      return undefined;
  }
}

function shortTypes(
  types: readonly TypeTree[],
  separator: string,
): string | undefined {
  let text = "";
  for (const type of types) {
    const part = shortType(type);
    // Long unions are not printed on one line.
    if (part === undefined || text.length > WIDTH) return undefined;
    text = text === "" ? part : text + separator + part;
  }
  return text;
}

/**
 * Prints text that contains a type. Most types fit on the line and need no
 * layout.
 * @param layout returns the layout that is printed if the type does not fit
 */
function printType(
  before: string,
  type: TypeTree,
  after: string,
  indentation: number,
  layout: () => Layout,
): Code {
  const short = shortType(type);
  const text = short === undefined ? undefined : before + short + after;
  return new Code(
    text === undefined || indentation + text.length > WIDTH
      ? print(layout(), indentation)
      : text,
  );
}

/**
 * Prints a member of an interface, such as `readonly name?: type;`. A union that
 * does not fit on the line starts on the next line.
 * @param name name with its modifiers
 */
export function memberDeclaration(name: string, type: TypeTree): Code {
  return printType(`${name}: `, type, ";", STEP, () => [
    `${name}:`,
    spaced(type),
    ";",
  ]);
}

/** Prints the index signature of an interface. */
export function indexSignature(type: TypeTree): Code {
  return new Code(print(["[key: string]: ", typeLayout(type), ";"], STEP));
}

/** Prints a type alias: `export type X = …;`. */
export function aliasDeclaration(name: string, type: TypeTree): Code {
  const head = `export type ${identifier(name).text} =`;
  return printType(`${head} `, type, ";", 0, () =>
    type.kind === "union"
      ? [head, spaced(type), ";"]
      : [hang(head, typeLayout(type)), ";"],
  );
}

/**
 * Prints the options of a union type on one line, or each on its own line, with
 * a semicolon at the end.
 */
export function unionOptions(options: readonly TypeTree[]): Code {
  return new Code(print([unionLayout(options), ";"], STEP));
}

/**
 * Prints the first line of an interface, which is the last one too if the
 * interface is empty.
 * @param parameters type parameters
 */
export function interfaceHead(
  name: string,
  {
    base,
    parameters = [],
    isEmpty,
  }: {
    readonly base?: TypeTree | undefined;
    readonly parameters?: readonly string[];
    readonly isEmpty: boolean;
  },
): Code {
  const { text } = identifier(name);
  const declared: Layout =
    parameters.length === 0 ? text : list(`${text}<`, parameters, ">", ITEMS);
  const extended = base === undefined ? "" : [" extends ", typeLayout(base)];
  const end = isEmpty ? " {}" : " {";
  return new Code(print(["export interface ", declared, extended, end]));
}

/**
 * Prints the declaration of an interface whose members have no comments.
 * @param type members of the interface
 * @param bases types that the interface extends
 */
export function interfaceDeclaration(
  name: string,
  type: TypeTree,
  bases: readonly TypeTree[],
): Code {
  const layout = [
    `export interface ${identifier(name).text}`,
    extendsLayout(bases),
    " ",
    typeLayout(type),
  ];
  return new Code(print(layout));
}

/**
 * Returns the `extends` clause of an interface. Prettier breaks the line only if
 * there are several types.
 */
function extendsLayout(bases: readonly TypeTree[]): Layout {
  const [first, ...others] = bases.map(typeLayout);
  if (first === undefined) return "";
  if (others.length === 0) return [" extends ", first];
  const types = [first, ...others.flatMap((type) => [",", LINE, type])];
  return group(indent([LINE, "extends", group(indent([LINE, ...types]))]));
}

/**
 * Prints the declaration of an exported constant up to the value:
 * `export const x: type = `.
 * @param start text of the value that must be on the same line
 */
export function constantHead(
  name: string,
  type: TypeTree,
  start: string,
): Code {
  const head = `export const ${identifier(name).text}: `;
  return printType(head, type, ` = ${start}`, 0, () => [
    head,
    typeLayout(type),
    ` = ${start}`,
  ]);
}

/** Returns a type that is preceded by a space or line feed. */
function spaced(type: TypeTree): Layout {
  return type.kind === "union"
    ? group(indent([LINE, unionLayout(type.of)]))
    : [" ", typeLayout(type)];
}

function typeLayout(type: TypeTree): Layout {
  switch (type.kind) {
    case "name":
      return type.name;
    case "literal":
      return quote(type.value);
    case "array":
      return arrayLayout(type);
    case "tuple":
      return list("[", type.of.map(typeLayout), "]", ITEMS);
    case "index":
      return list("{", [indexLayout(type.of)], "}", MEMBERS);
    case "union":
      return unionLayout(type.of);
    case "intersection":
      return intersectionLayout(type.of);
    case "generic":
      return genericLayout(type.name, type.args);
    case "object":
      return objectLayout(type.members);
  }
}

/**
 * Returns an array type. An element type in parentheses is never broken across
 * lines.
 */
function arrayLayout({
  of,
  readonly,
}: Extract<TypeTree, { kind: "array" }>): Layout {
  const element = typeLayout(of);
  const array = needsParentheses(of)
    ? `(${printFlat(element)})[]`
    : typeof element === "string"
      ? `${element}[]`
      : [element, "[]"];
  return readonly === true ? ["readonly ", array] : array;
}

function needsParentheses(type: TypeTree): boolean {
  return (
    type.kind === "union" ||
    type.kind === "intersection" ||
    (type.kind === "array" && type.readonly === true)
  );
}

/**
 * Returns an index signature. If the type does not fit on the line, the line is
 * broken at the key, as in Prettier.
 */
function indexLayout(of: TypeTree): Layout {
  return [KEY, ": ", typeLayout(of)];
}

const KEY = group(["[", indent([SOFT_LINE, "key: string"]), SOFT_LINE, "]"]);

/**
 * Returns a generic type. A single argument that is a name or an object starts
 * directly after the opening bracket.
 */
function genericLayout(name: string, args: readonly TypeTree[]): Layout {
  const layouts = args.map(typeLayout);
  if (args.length > 1 || !hugs(args[0]!))
    return list(`${name}<`, layouts, ">", TYPE_ARGUMENTS);
  const [only] = layouts;
  return typeof only === "string"
    ? `${name}<${only}>`
    : [`${name}<`, only!, ">"];
}

function hugs(type: TypeTree): boolean {
  return type.kind === "name"
    ? !type.name.startsWith("typeof ")
    : isObject(type);
}

function isObject(type: TypeTree): boolean {
  return type.kind === "object" || type.kind === "index";
}

/**
 * Returns an object type. If a member is readonly, each member is on its own
 * line for readability.
 */
function objectLayout(members: readonly Member[]): Layout {
  const items = members.map(({ key, type, readonly, deprecated }): Layout => {
    const mark = readonly === true ? "readonly " : "";
    const member = [`${mark}${propertyKey(key).text}: `, typeLayout(type)];
    return deprecated === true ? ["/** @deprecated */", LINE, member] : member;
  });
  const isBroken =
    members.some(({ readonly }) => readonly === true) || items.some(breaks);
  return list("{", items, "}", MEMBERS, isBroken);
}

/**
 * Returns a union type: all options on one line, or each option on its own line
 * after a vertical bar.
 */
function unionLayout(options: readonly TypeTree[]): Layout {
  const layouts = options.map((option) =>
    option.kind === "intersection"
      ? indent(["(", typeLayout(option), ")"])
      : indented(typeLayout(option)),
  );
  return group([BAR_IF_BROKEN, join(BAR, layouts)]);
}

const BAR_IF_BROKEN = ifBroken("| ");
const BAR: Layout = [LINE, "| "];

function indented(layout: Layout): Layout {
  return typeof layout === "string" ? layout : indent(layout);
}

/**
 * Returns an intersection type. The line is broken only between two names, as
 * Prettier does.
 */
function intersectionLayout(parts: readonly TypeTree[]): Layout {
  const layout: Layout[] = [];
  let wasObject = false;
  for (const [index, part] of parts.entries()) {
    const printed =
      part.kind === "union" ? ["(", typeLayout(part), ")"] : typeLayout(part);
    const isNextObject = isObject(part);
    if (index === 0) layout.push(printed);
    else if (wasObject || isNextObject)
      layout.push(" & ", index > 1 ? indent(printed) : printed);
    else layout.push(indent([" &", LINE, printed]));
    wasObject = isNextObject;
  }
  return group(layout);
}

import { isBareKey } from "../model/names.js";
import { quote } from "../render/typescript/code.js";
import type { HandlerOutline, ServiceMember } from "./tree.js";

export interface CodeStyle {
  /** `\n` or `\r\n`. */
  readonly eol: string;
  /** Text of one level of indentation. */
  readonly indentUnit: string;
  readonly quote: '"' | "'";
  /** Text at the end of a statement: `;` or empty. */
  readonly terminator: string;
  /** Local name of the `ApiError` class in the file. */
  readonly errorName: string;
}

/** Style of new files: Prettier's defaults. */
export const DEFAULT_STYLE: CodeStyle = {
  eol: "\n",
  indentUnit: "  ",
  quote: '"',
  terminator: ";",
  errorName: "ApiError",
};

const WIDTH = 80;

/** Prints members of an object literal, each followed by a comma. */
export function printMembers(
  members: readonly ServiceMember[],
  indent: string,
  style: CodeStyle,
): string {
  return members
    .map((member) => `${indent}${printMember(member, indent, style)},`)
    .join(style.eol);
}

function printMember(
  member: ServiceMember,
  indent: string,
  style: CodeStyle,
): string {
  const { name, handler, members } = member;
  if (members === undefined) return printHandler(name, handler!, indent, style);
  // A `__proto__` key in an object literal would set the prototype, but a
  // computed key does not.
  const key =
    name === "__proto__"
      ? `[${printString(name, style)}]`
      : printKey(name, style);
  const inner = braces(members, indent, style);
  return handler === undefined
    ? `${key}: ${inner}`
    : `${key}: ${printHandlerWithMembers(handler, members, indent, style)}`;
}

function braces(
  members: readonly ServiceMember[],
  indent: string,
  style: CodeStyle,
): string {
  const { eol, indentUnit } = style;
  return `{${eol}${printMembers(members, indent + indentUnit, style)}${eol}${indent}}`;
}

/**
 * Prints a handler such as `async get({ params }) { throw … }`, which the user
 * must complete.
 */
function printHandler(
  name: string,
  { id, parameters }: HandlerOutline,
  indent: string,
  style: CodeStyle,
): string {
  const call = parameters.length === 0 ? "" : `{ ${parameters.join(", ")} }`;
  const body = printThrow(id, parameters, indent + style.indentUnit, style);
  return `async ${printKey(name, style)}(${call}) {${style.eol}${body}${style.eol}${indent}}`;
}

/**
 * Prints a member that is both a handler and a resource, as a function with
 * members. These members have no parameters, because TypeScript can't infer
 * parameter types there (they have no contextual type).
 */
function printHandlerWithMembers(
  { id }: HandlerOutline,
  members: readonly ServiceMember[],
  indent: string,
  style: CodeStyle,
): string {
  const { eol, indentUnit } = style;
  const inside = indent + indentUnit;
  const head = `async () => {${eol}${printThrow(id, [], inside + indentUnit, style)}${eol}${inside}}`;
  const rest = braces(members.map(withoutParameters), inside, style);
  return `Object.assign(${eol}${inside}${head},${eol}${inside}${rest},${eol}${indent})`;
}

export function withoutParameters(member: ServiceMember): ServiceMember {
  const { handler, members } = member;
  return {
    ...member,
    ...(handler === undefined
      ? {}
      : { handler: { ...handler, parameters: [] } }),
    ...(members === undefined
      ? {}
      : { members: members.map(withoutParameters) }),
  };
}

/**
 * Prints a method of a class. The method has no parameters, because they would
 * need type annotations.
 */
export function printMethod(
  { name, handler }: ServiceMember,
  indent: string,
  style: CodeStyle,
): string {
  const body = printThrow(handler!.id, [], indent + style.indentUnit, style);
  return `${indent}async ${printKey(name, style)}(): Promise<never> {${style.eol}${body}${style.eol}${indent}}`;
}

/**
 * Prints a statement that responds with 501. The cause of the error contains
 * the names of the parameters but not their values, because the cause is logged
 * and the values can be credentials.
 */
function printThrow(
  id: string,
  parameters: readonly string[],
  indent: string,
  style: CodeStyle,
): string {
  const { eol, indentUnit, errorName, terminator } = style;
  const message = printString(`${id} is not implemented.`, style);
  const causeMembers = parameters
    .map((name) => (name === "params" ? "params: Object.keys(params)" : name))
    .join(", ");
  const cause = `{ cause: { ${causeMembers} } }`;
  const args = ["501", message, ...(parameters.length === 0 ? [] : [cause])];
  const head = `${indent}throw new ${errorName}(`;
  const flat = `${head}${args.join(", ")})${terminator}`;
  if (flat.length <= WIDTH) return flat;
  const hugged = `${head}501, ${message}, {`;
  if (parameters.length > 0 && hugged.length <= WIDTH)
    return `${hugged}${eol}${indent}${indentUnit}cause: { ${causeMembers} },${eol}${indent}})${terminator}`;
  const lines = args.map((argument) => `${indent}${indentUnit}${argument},`);
  return [head, ...lines, `${indent})${terminator}`].join(eol);
}

function printKey(name: string, style: CodeStyle): string {
  return isBareKey(name) ? name : printString(name, style);
}

/** Prints a string literal with the quotes that the file uses. */
export function printString(
  value: string,
  style: Pick<CodeStyle, "quote">,
): string {
  const quoted = quote(value);
  const isPlain = !/["'\\]/.test(quoted.slice(1, -1));
  return style.quote === "'" && isPlain ? `'${quoted.slice(1, -1)}'` : quoted;
}

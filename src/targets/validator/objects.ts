import { escapeToken } from "../../diagnostics/types.js";
import { methodsRequiring } from "../../model/queries.js";
import { isBinding } from "../../model/infer/field-flags.js";
import type { Body, Definition, Field } from "../../model/ir.js";
import { Code, literal, quote } from "../../render/typescript/code.js";
import {
  callOf,
  returnIf,
  type Part,
} from "../../render/typescript/conditions.js";
import type { View } from "../../render/engine.js";
import type { ValidatorContext } from "./context.js";
import type { Guard, GuardPrinter, Place } from "./guards.js";

/** Of a condition that fits a line, behind its indentation and before `&&`. */
const MAX_PLAIN = 73;

type ObjectBody = Extract<Body, { kind: "object" }>;

/** Fields that are checked alike, and how. */
interface Group {
  readonly names: string[];
  readonly lines: readonly string[];
}

/**
 * The check of an object walks the properties that are there, which are few of
 * many in most values, and chooses by name; fields of one kind share a branch.
 */
export function objectParts(
  definition: Definition,
  body: ObjectBody,
  context: ValidatorContext,
  printer: GuardPrinter,
): View {
  const required = body.fields.flatMap((field) => requirements(field, context));
  const rest = restLines(definition, body, context, printer);
  const all = groupsOf(definition, body, context, printer);
  // Without a rest, what needs no check needs no branch.
  const groups = rest.length > 0 ? all : all.filter(hasLines);
  const isWalked = groups.length > 0 || rest.length > 0;
  return {
    required: required.map((parts) => new Code(returnIf(parts, 2))),
    isWalked,
    isSwitch: groups.length > 0,
    usesValue: [...groups.flatMap(({ lines }) => lines), ...rest].some(usesX),
    groups: groups.map(({ names, lines }) => ({
      names: names.map(literal),
      lines: lines.map((line) => new Code(line)),
    })),
    hasRest: rest.length > 0,
    rest: rest.map((line) => new Code(line)),
  };
}

function hasLines({ lines }: Group): boolean {
  return lines.length > 0;
}

function usesX(line: string): boolean {
  return /\bx\b/.test(line);
}

function groupsOf(
  definition: Definition,
  { fields }: ObjectBody,
  context: ValidatorContext,
  printer: GuardPrinter,
): Group[] {
  const groups = new Map<string, Group>();
  for (const field of fields) {
    const place = placeOf(definition, field.name, context);
    const guards = printer.guards(field.schema, field.constraints, place);
    const lines = guards.map((guard) => returnIf(guard, 8));
    if (lines.length > 0 && isReadOnly(field, context))
      lines.unshift(`if (${context.use("readOnly")}(run, key)) break;`);
    const key = lines.join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [field.name], lines });
    else group.names.push(field.name);
  }
  return [...groups.values()];
}

/** What is checked of properties that are not declared. */
function restLines(
  definition: Definition,
  { fields, additional }: ObjectBody,
  context: ValidatorContext,
  printer: GuardPrinter,
): string[] {
  const indent = fields.length > 0 ? 8 : 4;
  if (additional === undefined) {
    const call = callOf(context.use("undeclared"), "run", "key");
    return [returnIf([call], indent)];
  }
  const place = placeOf(definition, "additionalProperties", context);
  const guards: Guard[] = printer.guards(additional, undefined, {
    ...place,
    pointer: `${definition.pointer}/additionalProperties`,
    words: `${context.words(definition.id)}Additional`,
  });
  return guards.map((guard) => returnIf(guard, indent));
}

function placeOf(
  { id, pointer }: Definition,
  name: string,
  context: ValidatorContext,
): Place {
  return {
    key: "key",
    value: "x",
    words: context.words(id) + wordsOf(name),
    pointer: `${pointer}/properties/${escapeToken(name)}`,
  };
}

function wordsOf(name: string): string {
  const plain = name.replace(/\W+/g, "_").slice(0, 60);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function isReadOnly({ flags }: Field, { options }: ValidatorContext): boolean {
  return isBinding(flags.readOnly, options.trustProse);
}

/** Guards that see whether a field is there, for each reason why it must be. */
function requirements(field: Field, context: ValidatorContext): Part[][] {
  const { name, flags } = field;
  const isNeeded =
    isBinding(flags.required, context.options.trustProse) ||
    flags.present !== undefined;
  const found: Part[][] = [];
  if (isNeeded) {
    const report = isReadOnly(field, context) ? "missingOutput" : "missing";
    const call = callOf(context.use(report), "run", quote(name));
    found.push([absence(name, context), call]);
  }
  const methods = methodsRequiring(flags, context.options.trustProse);
  if (methods.length > 0) {
    const args = ["run", quote(name), ...methods.map(quote)];
    const call = callOf(context.use("demanded"), ...args);
    found.push([absence(name, context), call]);
  }
  return found;
}

/** Every object inherits a value for some names; others are too long for a line. */
function absence(name: string, context: ValidatorContext): Part {
  const plain = `value[${quote(name)}] === undefined`;
  return name in Object.prototype || plain.length > MAX_PLAIN
    ? callOf(context.use("lacks"), "value", quote(name))
    : plain;
}

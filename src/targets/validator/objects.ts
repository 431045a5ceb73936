import { escapeToken } from "../../diagnostics/types.js";
import { methodsRequiring } from "../../model/queries.js";
import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Body, Definition, Field } from "../../model/ir.js";
import { Code, literal, quote } from "../../render/typescript/code.js";
import { returnIf } from "../../render/typescript/conditions.js";
import { callOf, type Layout } from "../../render/typescript/layout.js";
import type { ValidatorContext } from "./validator-context.js";
import type { Guard, GuardPrinter, ValuePosition } from "./guards.js";
import type { ObjectChecks } from "./views.js";

/**
 * Maximum length of a condition in columns. The other columns of the line are
 * needed for the indentation and `&&`.
 */
const MAX_PLAIN = 73;

type ObjectBody = Extract<Body, { kind: "object" }>;

/**
 * Fields with identical checks, and the lines of code that perform these
 * checks.
 */
interface Group {
  readonly names: string[];
  readonly lines: readonly string[];
}

/**
 * Returns the template data for the check function of an object. The function
 * loops over the properties of the value, which are usually fewer than the
 * declared fields, and selects statements by property name. Fields with
 * identical checks share a branch.
 */
export function objectParts(
  definition: Definition,
  body: ObjectBody,
  context: ValidatorContext,
  printer: GuardPrinter,
): ObjectChecks {
  const required = body.fields.flatMap((field) => requirements(field, context));
  const rest = restLines(definition, body, context, printer);
  const allGroups = groupsOf(definition, body, context, printer);
  // If undeclared properties are checked, fields without checks also need a
  // branch, because they would otherwise be treated as undeclared.
  const groups = rest.length > 0 ? allGroups : allGroups.filter(hasLines);
  const isWalked = groups.length > 0 || rest.length > 0;
  return {
    required: required.map((parts) => new Code(returnIf(parts, 2))),
    isWalked,
    isSwitch: groups.length > 0,
    usesValue: [...groups.flatMap(({ lines }) => lines), ...rest].some(
      usesValue,
    ),
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

function usesValue(line: string): boolean {
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
    const position = fieldPosition(definition, field.name, context);
    const guards = printer.guards(field.schema, field.constraints, position);
    const lines = guards.map((guard) => returnIf(guard, 8));
    if (lines.length > 0 && isReadOnly(field, context))
      lines.unshift(`if (${context.use("readOnly")}(run, key)) break;`);
    const key = lines.join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { names: [field.name], lines });
    else group.names.push(field.name);
  }
  // Groups are in the order of their checks, so that an additional property
  // does not move the other properties.
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group);
}

/** Returns the statements that check an undeclared property. */
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
  const position = fieldPosition(definition, "additionalProperties", context);
  const guards: Guard[] = printer.guards(additional, undefined, {
    ...position,
    pointer: `${definition.pointer}/additionalProperties`,
    words: `${context.words(definition.id)}Additional`,
  });
  return guards.map((guard) => returnIf(guard, indent));
}

function fieldPosition(
  { id, pointer }: Definition,
  name: string,
  context: ValidatorContext,
): ValuePosition {
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

/**
 * Returns the guards that report a missing field. There is one guard for each
 * rule that makes the field required.
 */
function requirements(field: Field, context: ValidatorContext): Layout[][] {
  const { name, flags } = field;
  const guards: Layout[][] = [];
  if (isAlwaysPresent(flags, context.options.trustProse)) {
    const report = isReadOnly(field, context) ? "missingOutput" : "missing";
    const call = callOf(context.use(report), "run", quote(name));
    guards.push([absence(name, context), call]);
  }
  const methods = methodsRequiring(flags, context.options.trustProse);
  if (methods.length > 0) {
    const args = ["run", quote(name), ...methods.map(quote)];
    const call = callOf(context.use("requiredBy"), ...args);
    guards.push([absence(name, context), call]);
  }
  return guards;
}

/**
 * Prints a condition that is true if a field is missing. A runtime function is
 * used if all objects inherit a property of that name, or if the condition is
 * too long for one line.
 */
function absence(name: string, context: ValidatorContext): Layout {
  const plain = `value[${quote(name)}] === undefined`;
  return name in Object.prototype || plain.length > MAX_PLAIN
    ? callOf(context.use("isMissing"), "value", quote(name))
    : plain;
}

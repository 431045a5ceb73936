import { escapeToken } from "../../diagnostics/types.js";
import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Body, Definition, Field, Schema } from "../../model/ir.js";
import { methodsRequiring } from "../../model/queries.js";
import {
  alternativesOf,
  discriminantOf,
  type Union,
} from "../../model/unions.js";
import {
  Code,
  identifier,
  literal,
  quote,
} from "../../render/typescript/code.js";
import {
  pair,
  pureConstant,
  returnCall,
  returnIf,
} from "../../render/typescript/conditions.js";
import {
  callOf,
  ENTRIES,
  ITEMS,
  type Layout,
  list,
  print,
} from "../../render/typescript/layout.js";
import { functionHead } from "../../render/typescript/signature.js";
import { type Guard, GuardPrinter, type ValuePosition } from "./guards.js";
import type { ElementCheck, ValidatorContext } from "./validator-context.js";
import type { ObjectChecks, ValidatorItem } from "./views.js";

/**
 * Returns the template data for the function that checks values of a
 * definition, followed by the functions for elements whose schema has no name.
 */
export function checkViews(
  definition: Definition,
  context: ValidatorContext,
): ValidatorItem[] {
  const printer = new GuardPrinter(context);
  const name = context.check(definition.id);
  const view = checkView(definition, name, context, printer);
  return [...view, ...elementViews(printer, context)];
}

/**
 * Returns the template data for the functions that check elements whose schema
 * has no name.
 */
export function elementViews(
  { elements }: { readonly elements: Iterable<ElementCheck> },
  context: ValidatorContext,
): ValidatorItem[] {
  return [...elements].map(({ name, guards }) =>
    guarded(name, guards, context),
  );
}

function checkView(
  definition: Definition,
  name: string,
  context: ValidatorContext,
  printer: GuardPrinter,
): ValidatorItem[] {
  const { body } = definition;
  if (body.kind === "variant" && body.options.length > 0)
    return variantViews(definition, body, name, context);
  if (body.kind === "union")
    return unionViews(definition, body, name, context, printer);
  if (body.kind === "object" && body.fields.length > 0)
    return [objectView(definition, body, name, context, printer)];
  if (body.kind === "object" && body.additional === undefined) {
    const call = callOf(context.use("empty"), "value", "run");
    return [plain(definition, name, [returnCall(call, 2)], context)];
  }
  const position = rootPosition(definition, context);
  if (body.kind === "object") {
    const map = { kind: "map", values: body.additional! } as const;
    const nullable = definition.nullable === true;
    const schema = nullable ? { ...map, nullable } : map;
    return [
      guarded(name, printer.guards(schema, undefined, position), context),
    ];
  }
  const schema = schemaOf(definition);
  return [guarded(name, printer.guards(schema, undefined, position), context)];
}

/**
 * Returns the schema for checking values of a definition that is not an object:
 * the target of an alias, an enum, or the base of a variant without options.
 */
function schemaOf({ id, body }: Definition): Schema {
  if (body.kind === "alias") return body.schema;
  if (body.kind !== "variant") return { kind: "ref", id };
  return body.base === undefined
    ? { kind: "map", values: { kind: "any" } }
    : { kind: "ref", id: body.base };
}

/**
 * Returns the data about the value that is passed to the check function of a
 * definition.
 */
export function rootPosition(
  { id, pointer }: Definition,
  context: ValidatorContext,
): ValuePosition {
  return { ...ROOT, words: context.words(id), pointer };
}

/** Data about the value that is passed to a check function. */
export const ROOT = { key: "undefined", value: "value" } as const;

function objectView(
  definition: Definition,
  body: Extract<Body, { kind: "object" }>,
  name: string,
  context: ValidatorContext,
  printer: GuardPrinter,
): ValidatorItem {
  const fail = callOf(
    context.use("fail"),
    "run",
    "undefined",
    "value",
    '"object"',
  );
  const isObject = `!${context.use("isObject")}(value)`;
  return {
    head: head(name, context),
    isObject: true,
    isNullable: definition.nullable === true,
    refuse: new Code(`if (${isObject}) ${returnCall(fail, 4)}`),
    ...objectParts(definition, body, context, printer),
  };
}

function variantViews(
  definition: Definition,
  body: Extract<Body, { kind: "variant" }>,
  name: string,
  context: ValidatorContext,
): ValidatorItem[] {
  const { id } = definition;
  const options = context.reserve("", `${context.lowered(id)}Options`);
  const pairs = body.options.map((option) =>
    pair(quote(option.value), context.check(option.id)),
  );
  const args = ["run", "value", quote(body.discriminant), options];
  const base = baseOf(body, context);
  if (base !== undefined) args.push(base);
  const call = callOf(context.use("variant"), ...args);
  return [
    { isConstant: true, text: new Code(pureConstant(options, "Map", pairs)) },
    plain(definition, name, [returnCall(call, 2)], context),
  ];
}

/**
 * Returns the name of the function that checks the common properties of a
 * variant. If an option does not declare the discriminant, this function
 * accepts any value.
 */
function baseOf(
  { base, options, discriminant }: Extract<Body, { kind: "variant" }>,
  context: ValidatorContext,
): string | undefined {
  if (base !== undefined) return context.check(base);
  const isKnown = options.every(({ id }) => {
    const body = context.definitions.get(id)?.body;
    return (
      body?.kind === "object" &&
      body.fields.some(({ name }) => name === discriminant)
    );
  });
  return isKnown ? undefined : context.use("anything");
}

/**
 * Returns the template data for the function that checks values of a union, and
 * for the constant with its alternatives.
 */
function unionViews(
  definition: Definition,
  union: Union,
  name: string,
  context: ValidatorContext,
  printer: GuardPrinter,
): ValidatorItem[] {
  const { id, pointer } = definition;
  const constant = context.reserve("", `${context.lowered(id)}Options`);
  const alternatives = alternativesOf(union, context.definitions);
  const discriminant = discriminantOf(alternatives);
  const items = alternatives.map(({ schema, types, properties }, index) => {
    const values =
      discriminant === undefined
        ? undefined
        : properties.get(discriminant)?.values;
    const check = printer.valueCheck(schema, {
      ...ROOT,
      words: `${context.words(id)}Option${index + 1}`,
      pointer: `${pointer}/x-one-of/${index}`,
    });
    const entries = [
      `name: ${quote(messageName(schema, context))}`,
      ...(types === undefined ? [] : [["types: ", stringList(types)]]),
      ...(values === undefined ? [] : [["values: ", stringList([...values])]]),
      `check: ${check}`,
    ];
    return list("{", entries, "}", ENTRIES);
  });
  const args = ["run", "value", constant];
  if (discriminant !== undefined) args.push(quote(discriminant));
  const call = callOf(context.use("union"), ...args);
  const value = list("[", items, "]", ITEMS, true);
  const text = print([`const ${constant} = `, value, ";"]);
  return [
    { isConstant: true, text: new Code(text) },
    plain(definition, name, [returnCall(call, 2)], context),
  ];
}

function stringList(texts: readonly string[]): Layout {
  return list("[", texts.map(quote), "]", ITEMS);
}

/** Maximum length of the name of an alternative in messages. */
const MAX_NAME = 80;

/** Returns the name of an alternative in messages, such as `array of Part`. */
function messageName(schema: Schema, context: ValidatorContext): string {
  return typeName(schema, context).slice(0, MAX_NAME);
}

function typeName(schema: Schema, context: ValidatorContext): string {
  switch (schema.kind) {
    case "any":
      return "any value";
    case "scalar":
      return schema.format ?? schema.type;
    case "enum":
      return "string";
    case "list":
      return `array of ${typeName(schema.items, context)}`;
    case "map":
      return "object";
    case "ref": {
      const { id, inline, body } = context.definitions.get(schema.id)!;
      if (inline === undefined) return id;
      return body.kind === "enum" ? "string" : "object";
    }
  }
}

function guarded(
  name: string,
  guards: readonly Guard[],
  context: ValidatorContext,
): ValidatorItem {
  const last = guards.at(-1)?.[0];
  const isCall = guards.at(-1)?.length === 1 && typeof last === "object";
  const before = isCall ? guards.slice(0, -1) : guards;
  const lines = before.map((guard) => returnIf(guard, 2));
  lines.push(isCall ? returnCall(last, 2) : "return false;");
  return lined(name, lines, context);
}

function plain(
  { nullable }: Definition,
  name: string,
  lines: readonly string[],
  context: ValidatorContext,
): ValidatorItem {
  const first = nullable === true ? ["if (value === null) return false;"] : [];
  return lined(name, [...first, ...lines], context);
}

function lined(
  name: string,
  lines: readonly string[],
  context: ValidatorContext,
): ValidatorItem {
  return {
    head: head(name, context),
    isObject: false,
    lines: lines.map((line) => new Code(line)),
  };
}

function head(name: string, context: ValidatorContext): Code {
  return functionHead({
    name: identifier(name).text,
    parameters: [
      { name: "value", type: "unknown" },
      { name: "run", type: context.type("Run") },
    ],
    result: "boolean",
    isInternal: true,
  });
}

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
function objectParts(
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

import type { Body, Definition, Schema } from "../../model/ir.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import {
  pair,
  pureConstant,
  returnCall,
  returnIf,
} from "../../render/typescript/conditions.js";
import { callOf } from "../../render/typescript/layout.js";
import { functionHead } from "../../render/typescript/signature.js";
import type { ElementCheck, ValidatorContext } from "./validator-context.js";
import { GuardPrinter, type Guard, type ValuePosition } from "./guards.js";
import { objectParts } from "./objects.js";
import type { ValidatorItem } from "./views.js";

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

// This file has more than 250 lines, because it contains one check for each
// type of value and the function that calls these checks.

import { placeholderNames } from "../document/placeholders.js";
import type { Entry, Node, Range, ScalarNode } from "../document/tree.js";
import { propertyIndex, type Property } from "../schema/property-index.js";
import type { ValueType } from "../schema/table.js";
import { displayText } from "../display-text.js";
import { isSensitive } from "../secrets.js";
import type { RuleContext, PropertyInstance } from "./rule-context.js";
import { reportContinued } from "./continued-values.js";
import { checkText } from "./text-values.js";

const YAML_1_1_BOOLEAN =
  /^(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/;
const QUOTED_BOOLEAN = /^(?:true|false|y|yes|n|no|on|off)$/i;
const QUOTED_TRUE = /^(?:true|y|yes|on)$/i;
const YAML_1_1_TRUE = /^(y|yes|on)$/i;

/** Rule T05: reports a key that has no value. */
export function reportNoValue(
  context: RuleContext,
  found: PropertyInstance,
): void {
  const { row } = found.property;
  const isNeeded = row.required === "error" || row.kind === "seed";
  const severity = isNeeded ? "error" : "warning";
  context.markReported(found.path);
  context.report(
    "T05",
    found.keyRange,
    found.path,
    `"${found.property.key}" has no value`,
    { severity, suggestion: "set a value, or remove the key" },
  );
}

/**
 * Checks the type and limits of a value (rules such as T02, T03 and S10).
 * @returns true if the members of the value must also be checked
 */
export function checkValue(
  context: RuleContext,
  node: Node,
  property: Property,
  path: string,
  entry?: Entry,
): boolean {
  const expected = property.row.type;
  if (node.kind !== "scalar") {
    if (expected === "any" && property.row.kind === undefined) return true;
    const actual = node.kind === "map" ? "object" : "array";
    if (actual === expected)
      return checkNotEmpty(context, node, property, path);
    const at = entry?.keyRange ?? firstCharacter(node.range);
    return reportWrongType(context, at, property, path, NAMES[actual]);
  }
  if (isPlaceholder(node, property)) {
    context.markReported(path);
    return false;
  }
  checkScalar(context, node, property, path);
  return false;
}

/**
 * Tests whether a value contains a placeholder. Rules about values ignore such
 * values.
 */
export function isPlaceholder(
  { value, text }: ScalarNode,
  { row }: Property,
): boolean {
  return (
    typeof value === "string" &&
    placeholderNames(text, row.secret === true).length > 0
  );
}

const NAMES: Readonly<Record<ValueType, string>> = {
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "a block of keys",
  array: "a list",
  any: "any value",
};

function firstCharacter({ start }: Range): Range {
  return { start, end: start + 1 };
}

function reportWrongType(
  context: RuleContext,
  at: Range,
  property: Property,
  path: string,
  actual: string,
  suggestion?: string,
): false {
  context.markReported(path);
  context.report(
    "T02",
    at,
    path,
    `expected ${describeExpected(property)}, found ${actual}`,
    suggestion === undefined ? {} : { suggestion },
  );
  return false;
}

function describeExpected({ row }: Property): string {
  const kind =
    row.kind === undefined ? undefined : propertyIndex().table.kinds[row.kind];
  return row.type === "any" && kind !== undefined
    ? kind.meaning
    : NAMES[row.type];
}

function checkNotEmpty(
  context: RuleContext,
  node: Node,
  property: Property,
  path: string,
): boolean {
  const size =
    node.kind === "map"
      ? node.entries.length
      : node.kind === "list"
        ? node.items.length
        : 1;
  const { row } = property;
  if (size > 0 || (row.minItems === undefined && row.required === undefined))
    return true;
  context.markReported(path);
  context.report(
    "T05",
    firstCharacter(node.range),
    path,
    `"${property.key}" is empty`,
    {
      severity: row.required ?? "error",
      suggestion: "add at least one entry",
    },
  );
  return false;
}

function checkScalar(
  context: RuleContext,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const allowed = typesOf(property);
  if (allowed.length === 0) return;
  const { value } = node;
  if (reportContinued(context, node, path)) return;
  if (
    isYaml11Boolean(node) &&
    (allowed.includes("boolean") || allowed.includes("string"))
  )
    return reportYaml11Boolean(context, node, path, allowed);
  const actual = typeOf(value);
  const fits =
    allowed.includes(actual) ||
    (actual === "integer" && allowed.includes("number"));
  if (!fits) {
    reportWrongType(
      context,
      node.range,
      property,
      path,
      describeValue(node),
      typeSuggestion(node, allowed, isSensitive(property)),
    );
    return;
  }
  checkText(context, node, property, path);
}

/**
 * Returns the types that a property accepts; an empty list if any type is
 * accepted.
 */
function typesOf({ row }: Property): ValueType[] {
  if (row.kind === undefined) return row.type === "any" ? [] : [row.type];
  const kind = propertyIndex().table.kinds[row.kind]!;
  return ["string", ...(kind.also ?? [])];
}

function typeOf(value: ScalarNode["value"]): ValueType {
  if (typeof value === "number")
    return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

/**
 * Tests whether a word is a boolean in YAML 1.1, the version that `apigeectl`
 * reads.
 */
function isYaml11Boolean({ isPlain, text }: ScalarNode): boolean {
  return isPlain && YAML_1_1_BOOLEAN.test(text);
}

function reportYaml11Boolean(
  context: RuleContext,
  node: ScalarNode,
  path: string,
  allowed: readonly ValueType[],
): void {
  context.markReported(path);
  const word = YAML_1_1_TRUE.test(node.text) ? "true" : "false";
  if (allowed.includes("boolean"))
    context.report(
      "S10",
      node.range,
      path,
      `some YAML parsers read ${node.text} as ${word}, others as text`,
      {
        severity: "warning",
        suggestion: `write ${word}`,
      },
    );
  else
    context.report(
      "S10",
      node.range,
      path,
      `some YAML parsers read ${node.text} as ${word}, not as text`,
      {
        severity: "error",
        suggestion: `write "${node.text}"`,
      },
    );
}

function describeValue({ value, isPlain }: ScalarNode): string {
  if (typeof value === "string" && !isPlain) return "a quoted string";
  return NAMES[typeOf(value)];
}

function typeSuggestion(
  node: ScalarNode,
  allowed: readonly ValueType[],
  isSecret: boolean,
): string | undefined {
  if (isSecret) return "put the value in quotes";
  const { value, text, isPlain } = node;
  const isTight = isPlain && /^[\w-]+:[^\s/]/.test(text);
  if (isTight && allowed.includes("object"))
    return "put a space after the colon";
  if (typeof value !== "string")
    return allowed.includes("string")
      ? `write "${displayText(text)}"`
      : undefined;
  if (isPlain) return undefined;
  if (allowed.includes("boolean") && QUOTED_BOOLEAN.test(text))
    return `write ${QUOTED_TRUE.test(text) ? "true" : "false"}, without quotes`;
  const isNumber = /^-?\d+$/.test(text) && allowed.includes("integer");
  return isNumber ? `write ${displayText(text)}, without quotes` : undefined;
}

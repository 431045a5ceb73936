import { placeholderNames } from "../document/placeholders.js";
import {
  type Entry,
  type Node,
  type Range,
  type ScalarNode,
  isBlank,
} from "../document/tree.js";
import { propertyIndex, type Property } from "../schema/property-index.js";
import type { ValueType } from "../schema/table.js";
import { displayText } from "../display-text.js";
import { isSensitive } from "../secrets.js";
import type { RuleContext, PropertyInstance } from "./rule-context.js";
import { closest } from "../../diagnostics/closest.js";
import { isIP } from "node:net";

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

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Parses a Kubernetes quantity or a Java heap size; returns NaN for other text.
 */
export function parseQuantity(text: string): number {
  const found = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text);
  if (found === null) return Number.NaN;
  const [, digits = "", suffix = ""] = found;
  const factor = suffix === "" ? 1 : FACTORS[suffix];
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}

/**
 * Rules T03 and T09: check the limits and the syntax of a value. The caller
 * must check the type of the value first.
 */
export function checkText(
  context: RuleContext,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const { row } = property;
  const kind =
    row.kind === undefined ? undefined : propertyIndex().table.kinds[row.kind];
  const report = (message: string, suggestion?: string): void =>
    context.report(
      row.code ?? kind?.code ?? "T03",
      node.range,
      path,
      message,
      suggestion === undefined ? {} : { suggestion },
    );
  if (isBlank(node)) return reportBlank(context, node, property, path);
  const displayed = isSensitive(property)
    ? "the value"
    : `"${displayText(node.text)}"`;
  if (row.enum !== undefined && !row.enum.includes(node.text))
    return report(
      `${displayed} must be one of ${row.enum.join(", ")}`,
      didYouMean(node.text, row.enum),
    );
  const misuse = secretProblem(node.text, row.kind);
  if (misuse !== undefined) return report(misuse);
  const pattern = row.pattern ?? kind?.pattern;
  if (pattern !== undefined && !cachedRegExp(pattern).test(node.text))
    return report(
      kind === undefined
        ? `${displayed} must match ${pattern}`
        : `${displayed} is not valid; expected ${kind.meaning}`,
    );
  if (isWrongAddress(node.text, row.kind)) {
    context.markReported(path);
    return report(`${displayed} is not an IP address`);
  }
  if (row.maxLength !== undefined && [...node.text].length > row.maxLength)
    return report(
      `the value has ${[...node.text].length} characters; at most ${row.maxLength} are allowed`,
    );
  if (!checkNumber(node, property, report)) return;
  checkAdvice(context, node, property, path);
  if (row.kind === "quantity") checkQuantity(context, node, property, path);
  if (row.kind === "path") checkFile(context, node, path);
}

function reportBlank(
  context: RuleContext,
  node: ScalarNode,
  { row, key }: Property,
  path: string,
): void {
  context.markReported(path);
  context.report("T05", node.range, path, `"${key}" is an empty string`, {
    severity:
      row.required === undefined && row.kind !== "seed" ? "warning" : "error",
    suggestion: "set a value, or remove the key",
  });
}

function checkNumber(
  { value }: ScalarNode,
  { row }: Property,
  report: (message: string) => void,
): boolean {
  if (typeof value !== "number") return true;
  const { minimum, maximum, unit } = row;
  const of = unit === undefined ? "" : ` ${unit}`;
  if (minimum !== undefined && value < minimum) {
    report(`${value} is less than the minimum of ${minimum}${of}`);
    return false;
  }
  if (maximum !== undefined && value > maximum) {
    report(`${value} is more than the maximum of ${maximum}${of}`);
    return false;
  }
  return true;
}

/** Reports values that are valid but are probably mistakes. */
function checkAdvice(
  context: RuleContext,
  node: ScalarNode,
  { row }: Property,
  path: string,
): void {
  const bytes = Buffer.byteLength(node.text);
  const code = row.code ?? "T03";
  if (
    row.advice !== undefined &&
    !cachedRegExp(row.advice.pattern).test(node.text)
  )
    context.report(code, node.range, path, row.advice.message, {
      severity: "warning",
    });
  else if (row.maxBytes !== undefined && bytes > row.maxBytes)
    context.report(
      code,
      node.range,
      path,
      `the value has ${bytes} bytes; tools that count bytes allow at most ${row.maxBytes}`,
      { severity: "warning" },
    );
}

const MEBIBYTE = 2 ** 20;

/**
 * Rule T09: reports quantities that are valid but improbably small or large.
 */
function checkQuantity(
  context: RuleContext,
  node: ScalarNode,
  { key }: Property,
  path: string,
): void {
  const amount = parseQuantity(node.text);
  const report = (message: string, suggestion: string): void =>
    context.report("T09", node.range, path, message, { suggestion });
  if (key === "cpu" && amount > 64)
    report(
      `${displayText(node.text)} means ${amount} cores, which is more than 64`,
      "use the suffix m for thousandths of a core",
    );
  if (key !== "memory") return;
  if (node.text.endsWith("m"))
    report(
      `the suffix m in ${displayText(node.text)} means thousandths of a byte`,
      `write ${displayText(node.text.slice(0, -1))}Mi`,
    );
  else if (amount < MEBIBYTE)
    report(
      `${displayText(node.text)} is less than 1 MiB`,
      "use the suffix Mi or Gi",
    );
}

function checkFile(context: RuleContext, node: ScalarNode, path: string): void {
  const { fileExists } = context.options;
  if (fileExists === undefined || fileExists(node.text)) return;
  context.report(
    "T10",
    node.range,
    path,
    `the file "${displayText(node.text)}" does not exist`,
    {
      suggestion: "paths are relative to the working directory of apigeectl",
    },
  );
}

/**
 * Maximum length in characters of a value for which a similar allowed value is
 * suggested. A longer value is probably not a misspelling.
 */
const MAX_CHARACTERS = 60;

function didYouMean(
  text: string,
  choices: readonly string[],
): string | undefined {
  const exact = choices.find(
    (choice) => choice.toLowerCase() === text.toLowerCase(),
  );
  const found =
    exact ??
    (text.length > MAX_CHARACTERS ? undefined : closest(text, choices));
  return found === undefined ? undefined : `did you mean ${found}?`;
}

/** Reports a secret in a property that must contain only a path or a URL. */
function secretProblem(
  text: string,
  kind: string | undefined,
): string | undefined {
  if (kind === "path" && /-----BEGIN|^\s*\{|\n/.test(text))
    return "the value must be the path of a file, not its content";
  if (kind === "httpsUrl" && /\/\/[^/]*@/.test(text))
    return "the URL must not contain a user or password";
  return undefined;
}

/**
 * Tests whether a host is an invalid IP address. A host whose last label is a
 * number is parsed as an IP address (WHATWG URL, section 3.5).
 */
function isWrongAddress(text: string, kind: string | undefined): boolean {
  if (kind !== "seed" && kind !== "host" && kind !== "hostPort") return false;
  const host = kind === "hostPort" ? text.replace(/:\d+$/, "") : text;
  const isAddress = host.includes(":") || /(?:^|\.)\d+$/.test(host.slice(-20));
  return isAddress && isIP(host) === 0;
}

const compiled = new Map<string, RegExp>();

function cachedRegExp(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (expression === undefined)
    compiled.set(pattern, (expression = new RegExp(pattern)));
  return expression;
}

/**
 * Rule S02: reports a list item that YAML parses as a continuation of the text
 * above it, because it is indented too deeply.
 */
function reportContinued(
  context: RuleContext,
  { isPlain, text, range }: ScalarNode,
  path: string,
): boolean {
  const next = isPlain ? text.search(/\n *- /) : -1;
  if (next < 0) return false;
  const start = range.start + next + 1;
  const at = start + text.slice(next + 1).indexOf("-");
  const { line, column } = context.lines.positionOf(at);
  const above = context.lines.positionOf(range.start);
  context.markReported(path);
  context.report(
    "S02",
    { start: at, end: at + 1 },
    path,
    `line ${line} is read as a continuation of line ${above.line}, because it is indented by ${column - 1} spaces`,
    { suggestion: `indent the dash like the one on line ${above.line}` },
  );
  return true;
}

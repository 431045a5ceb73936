import type { FileCheck, PropertyInstance } from "./context.js";
import type { TextKind, ValueType } from "./definition.js";
import { placeholderNames } from "./placeholders.js";
import type { Property } from "./properties.js";
import { closest } from "./similar.js";
import {
  isBlank,
  type Entry,
  type Node,
  type Range,
  type ScalarNode,
} from "./tree.js";

const QUOTED_BOOLEAN = /^(?:true|false|y|yes|n|no|on|off)$/i;
const QUOTED_TRUE = /^(?:true|y|yes|on)$/i;

/** Reports a key that has no value. */
export function reportNoValue(file: FileCheck, found: PropertyInstance): void {
  const { row } = found.property;
  const severity =
    row.required === "error" ? "error" : kindOf(file, found.property)?.empty;
  file.markReported(found.path);
  file.report(
    file.codeOf("empty"),
    found.keyRange,
    found.path,
    `"${found.property.key}" has no value`,
    { severity, suggestion: "set a value, or remove the key" },
  );
}

/**
 * Checks the type and limits of a value.
 * @returns true if the members of the value must also be checked
 */
export function checkNode(
  file: FileCheck,
  node: Node,
  property: Property,
  path: string,
  entry?: Entry,
): boolean {
  const expected = property.row.type;
  if (node.kind !== "scalar") {
    if (expected === "any" && property.row.kind === undefined) return true;
    const actual = node.kind === "map" ? "object" : "array";
    if (actual === expected) return checkNotEmpty(file, node, property, path);
    const at = entry?.keyRange ?? firstCharacter(node.range);
    return reportWrongType(file, at, property, path, TYPE_NAMES[actual]);
  }
  if (isPlaceholder(node, property)) {
    file.markReported(path);
    return false;
  }
  checkScalar(file, node, property, path);
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

const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
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
  file: FileCheck,
  at: Range,
  property: Property,
  path: string,
  actual: string,
  suggestion?: string,
): false {
  file.markReported(path);
  file.report(
    file.codeOf("type"),
    at,
    path,
    `expected ${describeExpected(file, property)}, found ${actual}`,
    suggestion === undefined ? {} : { suggestion },
  );
  return false;
}

function describeExpected(file: FileCheck, property: Property): string {
  const { row } = property;
  const kind = kindOf(file, property);
  return row.type === "any" && kind !== undefined
    ? kind.meaning
    : TYPE_NAMES[row.type ?? "any"];
}

function kindOf({ rules }: FileCheck, { row }: Property): TextKind | undefined {
  return row.kind === undefined ? undefined : rules.kinds[row.kind];
}

function checkNotEmpty(
  file: FileCheck,
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
  file.markReported(path);
  file.report(
    file.codeOf("empty"),
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
  file: FileCheck,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const allowed = typesOf(file, property);
  if (allowed.length === 0) return;
  const { value } = node;
  if (file.source?.checkScalar(file, node, property, path) === true) return;
  const actual = typeOf(value);
  const fits =
    allowed.includes(actual) ||
    (actual === "integer" && allowed.includes("number"));
  if (!fits) {
    reportWrongType(
      file,
      node.range,
      property,
      path,
      describeValue(node),
      typeSuggestion(
        file,
        node,
        allowed,
        file.properties.isSensitive(property),
      ),
    );
    return;
  }
  checkText(file, node, property, path);
}

/**
 * Returns the types that a property accepts; an empty list if any type is
 * accepted.
 */
function typesOf(file: FileCheck, property: Property): ValueType[] {
  const { type = "any" } = property.row;
  const kind = kindOf(file, property);
  if (kind === undefined) return type === "any" ? [] : [type];
  return ["string", ...(kind.also ?? [])];
}

function typeOf(value: ScalarNode["value"]): ValueType {
  if (typeof value === "number")
    return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function describeValue({ value, isPlain }: ScalarNode): string {
  if (typeof value === "string" && !isPlain) return "a quoted string";
  return TYPE_NAMES[typeOf(value)];
}

function typeSuggestion(
  file: FileCheck,
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
      ? `write "${file.shown(text)}"`
      : undefined;
  if (isPlain) return undefined;
  if (allowed.includes("boolean") && QUOTED_BOOLEAN.test(text))
    return `write ${QUOTED_TRUE.test(text) ? "true" : "false"}, without quotes`;
  const isNumber = /^-?\d+$/.test(text) && allowed.includes("integer");
  return isNumber ? `write ${file.shown(text)}, without quotes` : undefined;
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
 * Checks the limits and the syntax of a value. The caller must check the type
 * of the value first.
 */
function checkText(
  file: FileCheck,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const { row } = property;
  const kind = kindOf(file, property);
  const report = (message: string, suggestion?: string): void =>
    file.report(
      row.code ?? kind?.code ?? file.codeOf("value"),
      node.range,
      path,
      message,
      suggestion === undefined ? {} : { suggestion },
    );
  if (isBlank(node)) return reportBlank(file, node, property, path);
  const displayed = file.properties.isSensitive(property)
    ? "the value"
    : `"${file.shown(node.text)}"`;
  if (row.enum !== undefined && !row.enum.includes(node.text))
    return report(
      `${displayed} must be one of ${row.enum.join(", ")}`,
      didYouMean(node.text, row.enum),
    );
  if (kind?.never !== undefined && isNever(node.text, kind.never))
    return report(kind.never.message);
  const pattern = row.pattern ?? kind?.pattern;
  const isTooLong =
    kind?.maxLength !== undefined && node.text.length > kind.maxLength;
  const isWrong =
    pattern !== undefined && !cachedRegExp(pattern).test(node.text);
  if (isTooLong || isWrong)
    return report(
      kind === undefined
        ? `${displayed} must match ${pattern}`
        : `${displayed} is not valid; expected ${kind.meaning}`,
    );
  if (isWrongAddress(node.text, kind)) {
    file.markReported(path);
    return report(`${displayed} is not an IP address`);
  }
  if (row.maxLength !== undefined && [...node.text].length > row.maxLength)
    return report(
      `the value has ${[...node.text].length} characters; at most ${row.maxLength} are allowed`,
    );
  if (!checkNumber(node, property, report)) return;
  checkAdvice(file, node, property, path);
  if (kind?.quantity === true) checkQuantity(file, node, property, path);
  if (kind?.file !== undefined) checkFile(file, node, path, kind.file);
}

function isNever(text: string, never: NonNullable<TextKind["never"]>): boolean {
  const { contains = [], startsWith, pattern } = never;
  return (
    contains.some((part) => text.includes(part)) ||
    (startsWith !== undefined && text.trimStart().startsWith(startsWith)) ||
    (pattern !== undefined && cachedRegExp(pattern).test(text))
  );
}

function reportBlank(
  file: FileCheck,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const { row, key } = property;
  const severity =
    row.required === undefined ? kindOf(file, property)?.empty : "error";
  file.markReported(path);
  file.report(
    file.codeOf("empty"),
    node.range,
    path,
    `"${key}" is an empty string`,
    {
      severity,
      suggestion: "set a value, or remove the key",
    },
  );
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
  file: FileCheck,
  node: ScalarNode,
  { row }: Property,
  path: string,
): void {
  const bytes = new TextEncoder().encode(node.text).length;
  const code = row.code ?? file.codeOf("value");
  if (
    row.advice?.pattern !== undefined &&
    !cachedRegExp(row.advice.pattern).test(node.text)
  )
    file.report(code, node.range, path, row.advice.message, {
      severity: "warning",
    });
  else if (row.maxBytes !== undefined && bytes > row.maxBytes)
    file.report(
      code,
      node.range,
      path,
      `the value has ${bytes} bytes; tools that count bytes allow at most ${row.maxBytes}`,
      { severity: "warning" },
    );
}

/** Reports quantities that are valid but improbably small or large. */
function checkQuantity(
  file: FileCheck,
  node: ScalarNode,
  { row }: Property,
  path: string,
): void {
  const { quantity } = row;
  if (quantity === undefined) return;
  const { minimum, maximum, suffix = "", suggestion } = quantity;
  const amount = parseQuantity(node.text);
  const shown = file.shown(node.text);
  const report = (message: string, fix = suggestion): void =>
    file.report(file.codeOf("quantity"), node.range, path, message, {
      suggestion: fix,
    });
  if (suffix !== "" && node.text.endsWith(suffix))
    report(
      `the suffix ${suffix} in ${shown} means ${quantity.suffixMeaning}`,
      `write ${file.shown(node.text.slice(0, -suffix.length))}${quantity.suffixMeant}`,
    );
  else if (maximum !== undefined && amount > maximum)
    report(
      `${shown} means ${amount} ${quantity.unit}, which is more than ${maximum}`,
    );
  else if (minimum !== undefined && amount < minimum)
    report(`${shown} is less than ${quantity.minimumText}`);
}

function checkFile(
  file: FileCheck,
  node: ScalarNode,
  path: string,
  suggestion: string,
): void {
  const { fileExists } = file.options;
  if (fileExists === undefined || fileExists(node.text)) return;
  file.report(
    file.codeOf("file"),
    node.range,
    path,
    `the file "${file.shown(node.text)}" does not exist`,
    { suggestion },
  );
}

/**
 * Maximum length in characters of a value for which a similar allowed value is
 * suggested. A longer value is probably not a misspelling.
 */
const MAX_CHOICE = 60;

function didYouMean(
  text: string,
  choices: readonly string[],
): string | undefined {
  const exact = choices.find(
    (choice) => choice.toLowerCase() === text.toLowerCase(),
  );
  const found =
    exact ?? (text.length > MAX_CHOICE ? undefined : closest(text, choices));
  return found === undefined ? undefined : `did you mean ${found}?`;
}

/**
 * Tests whether a host is an invalid IP address. A host whose last label is a
 * number is parsed as an IP address (WHATWG URL, section 3.5).
 */
function isWrongAddress(text: string, kind: TextKind | undefined): boolean {
  if (kind?.address === undefined) return false;
  const host = kind.address === "port" ? text.replace(/:\d+$/, "") : text;
  const isAddress = host.includes(":") || /(?:^|\.)\d+$/.test(host.slice(-20));
  return isAddress && !isAddressText(host);
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);

/** Tests whether text is an IPv4 or IPv6 address (RFC 4291, section 2.2). */
export function isAddressText(text: string): boolean {
  if (IPV4.test(text)) return true;
  const [address = "", zone] = text.split("%", 2);
  if (text.length > MAX_ADDRESS || zone === "") return false;
  const halves = address.split("::");
  if (!address.includes(":") || halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const isTail = IPV4.test(groups.at(-1) ?? "");
  const words = isTail ? groups.slice(0, -1) : groups;
  const count = words.length + (isTail ? 2 : 0);
  return (
    words.every((word) => /^[0-9a-f]{1,4}$/i.test(word)) &&
    (halves.length === 2 ? count < 8 : count === 8) &&
    !(isTail && halves.length === 2 && halves[1] === "")
  );
}

/** Maximum length of an IPv6 address with its zone, in characters. */
const MAX_ADDRESS = 100;

const compiled = new Map<string, RegExp>();

function cachedRegExp(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (expression === undefined)
    compiled.set(pattern, (expression = new RegExp(pattern)));
  return expression;
}

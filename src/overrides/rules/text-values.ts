import { closest } from "../../diagnostics/closest.js";
import { isIP } from "node:net";
import { isBlank, type ScalarNode } from "../document/tree.js";
import { propertyIndex, type Property } from "../schema/property-index.js";
import { displayText } from "../display-text.js";
import { isSensitive } from "../secrets.js";
import type { RuleContext } from "./rule-context.js";
import { parseQuantity } from "./quantity.js";

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

import { closest } from "../../diagnostics/closest.js";
import { isIP } from "node:net";
import { isBlank, type ScalarNode } from "../document/tree.js";
import { knowledge, type Property } from "../schema/property-index.js";
import { shownText } from "../display-text.js";
import { isSensitive } from "../secrets.js";
import type { Context } from "./context.js";
import { amountOf } from "./quantity.js";

/** T03 and T09: whether a value of the right type is in its limits. */
export function checkText(
  context: Context,
  node: ScalarNode,
  property: Property,
  path: string,
): void {
  const { row } = property;
  const kind =
    row.kind === undefined ? undefined : knowledge().table.kinds[row.kind];
  const report = (message: string, suggestion?: string): void =>
    context.report(
      row.code ?? kind?.code ?? "T03",
      node.range,
      path,
      message,
      suggestion === undefined ? {} : { suggestion },
    );
  if (isBlank(node)) return reportBlank(context, node, property, path);
  const own = isSensitive(property) ? "the value" : `"${shownText(node.text)}"`;
  if (row.enum !== undefined && !row.enum.includes(node.text))
    return report(
      `${own} is none of ${row.enum.join(", ")}`,
      didYouMean(node.text, row.enum),
    );
  const misuse = misuseOf(node.text, row.kind);
  if (misuse !== undefined) return report(misuse);
  const pattern = row.pattern ?? kind?.pattern;
  if (pattern !== undefined && !regex(pattern).test(node.text))
    return report(
      kind === undefined
        ? `${own} does not match ${pattern}`
        : `${own} is not a ${kind.meaning}`,
    );
  if (isWrongAddress(node.text, row.kind)) {
    context.explain(path);
    return report(`${own} is not an IP address`);
  }
  if (row.maxLength !== undefined && [...node.text].length > row.maxLength)
    return report(
      `${[...node.text].length} characters, at most ${row.maxLength} are allowed`,
    );
  if (!checkNumber(node, property, report)) return;
  advise(context, node, property, path);
  if (row.kind === "quantity") checkAmount(context, node, property, path);
  if (row.kind === "path") checkFile(context, node, path);
}

function reportBlank(
  context: Context,
  node: ScalarNode,
  { row, key }: Property,
  path: string,
): void {
  context.explain(path);
  context.report("T05", node.range, path, `"${key}" is empty text`, {
    severity:
      row.required === undefined && row.kind !== "seed" ? "warning" : "error",
    suggestion: "give a value, or remove the key",
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
    report(`${value} is less than ${minimum}${of}`);
    return false;
  }
  if (maximum !== undefined && value > maximum) {
    report(`${value} is more than ${maximum}${of}`);
    return false;
  }
  return true;
}

/** What works, but is likely a mistake. */
function advise(
  context: Context,
  node: ScalarNode,
  { row }: Property,
  path: string,
): void {
  const bytes = Buffer.byteLength(node.text);
  const code = row.code ?? "T03";
  if (row.advice !== undefined && !regex(row.advice.pattern).test(node.text))
    context.report(code, node.range, path, row.advice.message, {
      severity: "warning",
    });
  else if (row.maxBytes !== undefined && bytes > row.maxBytes)
    context.report(
      code,
      node.range,
      path,
      `${bytes} bytes, and some tools count bytes: at most ${row.maxBytes}`,
      { severity: "warning" },
    );
}

const MEBIBYTE = 2 ** 20;

/** T09: amounts that are well written and wrong all the same. */
function checkAmount(
  context: Context,
  node: ScalarNode,
  { key }: Property,
  path: string,
): void {
  const amount = amountOf(node.text);
  const report = (message: string, suggestion: string): void =>
    context.report("T09", node.range, path, message, { suggestion });
  if (key === "cpu" && amount > 64)
    report(
      `${shownText(node.text)} are ${amount} cores`,
      "thousandths of a core end in m",
    );
  if (key !== "memory") return;
  if (node.text.endsWith("m"))
    report(
      `${shownText(node.text)} are thousandths of a byte`,
      `write ${shownText(node.text.slice(0, -1))}Mi`,
    );
  else if (amount < MEBIBYTE)
    report(
      `${shownText(node.text)} is less than a mebibyte`,
      "memory is given in bytes, with Mi or Gi",
    );
}

function checkFile(context: Context, node: ScalarNode, path: string): void {
  const { fileExists } = context.options;
  if (fileExists === undefined || fileExists(node.text)) return;
  context.report(
    "T10",
    node.range,
    path,
    `there is no file "${shownText(node.text)}"`,
    { suggestion: "paths are relative to the folder the control tool runs in" },
  );
}

/** Longer text is no mistyped choice. */
const MOST_CHARACTERS = 60;

function didYouMean(
  text: string,
  choices: readonly string[],
): string | undefined {
  const same = choices.find(
    (choice) => choice.toLowerCase() === text.toLowerCase(),
  );
  const found =
    same ??
    (text.length > MOST_CHARACTERS ? undefined : closest(text, choices));
  return found === undefined ? undefined : `did you mean ${found}?`;
}

/** Secrets in place of what should only lead to them. */
function misuseOf(text: string, kind: string | undefined): string | undefined {
  if (kind === "path" && /-----BEGIN|^\s*\{|\n/.test(text))
    return "the value must be the path of a file, not its content";
  if (kind === "httpsUrl" && /\/\/[^/]*@/.test(text))
    return "the URL must not contain a user or password";
  return undefined;
}

/** A host whose last label is a number is an IP address (WHATWG URL, 3.5). */
function isWrongAddress(text: string, kind: string | undefined): boolean {
  if (kind !== "seed" && kind !== "host" && kind !== "hostPort") return false;
  const host = kind === "hostPort" ? text.replace(/:\d+$/, "") : text;
  const isAddress = host.includes(":") || /(?:^|\.)\d+$/.test(host.slice(-20));
  return isAddress && isIP(host) === 0;
}

const compiled = new Map<string, RegExp>();

function regex(pattern: string): RegExp {
  let made = compiled.get(pattern);
  if (made === undefined) compiled.set(pattern, (made = new RegExp(pattern)));
  return made;
}

import type { Json, JsonObject } from "./json.js";

/** Maximum line length in columns, as in Prettier. */
const WIDTH = 80;

/**
 * Prints JSON in the style of Prettier, with a final newline. Each member of an
 * object is on its own line; an array of scalars is on one line if it fits.
 */
export function jsonText(value: Json): string {
  const tokens: string[] = [];
  printValue(value, "", 0, tokens);
  return `${tokens.join("")}\n`;
}

/**
 * @param indent indentation of the line that contains the value
 * @param used number of columns before and after the value on that line
 */
function printValue(
  value: Json,
  indent: string,
  used: number,
  parts: string[],
): void {
  if (typeof value !== "object" || value === null) {
    parts.push(scalarText(value));
  } else if (!Array.isArray(value)) {
    printObject(value as JsonObject, indent, parts);
  } else {
    printArray(value as readonly Json[], indent, used, parts);
  }
}

/**
 * Prints a value without line breaks. Exponents have no plus sign, as in
 * Prettier's output.
 */
function scalarText(value: Json): string {
  const text = JSON.stringify(value);
  return typeof value === "number" ? text.replace("e+", "e") : text;
}

function printObject(value: JsonObject, indent: string, parts: string[]): void {
  const keys = Object.keys(value);
  if (keys.length === 0) {
    parts.push("{}");
    return;
  }
  const inner = `${indent}  `;
  for (const [index, key] of keys.entries()) {
    const label = `${JSON.stringify(key)}: `;
    parts.push(index === 0 ? "{\n" : ",\n", inner, label);
    const comma = index === keys.length - 1 ? 0 : 1;
    printValue(
      value[key]!,
      inner,
      inner.length + columns(label) + comma,
      parts,
    );
  }
  parts.push("\n", indent, "}");
}

function printArray(
  items: readonly Json[],
  indent: string,
  used: number,
  parts: string[],
): void {
  const flat = flatArray(items, WIDTH - used);
  if (flat !== undefined) {
    parts.push(flat);
    return;
  }
  const inner = `${indent}  `;
  if (items.every((item) => typeof item === "number")) {
    parts.push("[\n", filled(items, inner), "\n", indent, "]");
    return;
  }
  for (const [index, item] of items.entries()) {
    parts.push(index === 0 ? "[\n" : ",\n", inner);
    const comma = index === items.length - 1 ? 0 : 1;
    printValue(item, inner, inner.length + comma, parts);
  }
  parts.push("\n", indent, "]");
}

/** Prints numbers, with as many on each line as fit. */
function filled(items: readonly Json[], indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const [index, item] of items.entries()) {
    const text = `${scalarText(item)}${index === items.length - 1 ? "" : ","}`;
    const isFirst = line === indent;
    if (!isFirst && line.length + 1 + text.length > WIDTH) {
      lines.push(line);
      line = indent + text;
    } else {
      line += isFirst ? text : ` ${text}`;
    }
  }
  return [...lines, line].join("\n");
}

/**
 * Prints an array of scalars on one line. Returns undefined if it does not fit.
 */
function flatArray(items: readonly Json[], width: number): string | undefined {
  if (items.length === 0) return "[]";
  if (items.length * 3 > width) return undefined;
  if (items.some((item) => !isFlat(item))) return undefined;
  const text = `[${items.map(scalarText).join(", ")}]`;
  return columns(text) <= width ? text : undefined;
}

function isFlat(item: Json): boolean {
  return (
    typeof item !== "object" ||
    item === null ||
    (Array.isArray(item) ? item : Object.keys(item)).length === 0
  );
}

/**
 * Pattern that matches characters that are two columns wide in a terminal,
 * approximated by Unicode blocks.
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** Returns the width of a string in a terminal, in columns. */
function columns(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

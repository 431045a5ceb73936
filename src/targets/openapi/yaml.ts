import type { Json, JsonObject } from "../json-schema/json.js";

/**
 * Prints JSON as YAML 1.2 that YAML 1.1 parsers can also read. A string is
 * printed without quotes only if YAML can't interpret it as anything else. All
 * other strings are printed in double quotes with JSON escapes, so that text
 * from a document can't become YAML syntax.
 */
export function yamlText(value: Json): string {
  const lines: string[] = [];
  if (isBlock(value)) printBlock(value, "", lines);
  else lines.push(scalar(value));
  return `${lines.join("\n")}\n`;
}

/**
 * Tests whether a value is printed as a block on separate lines: a non-empty
 * object or array.
 */
function isBlock(value: Json): value is JsonObject | readonly Json[] {
  return (
    typeof value === "object" && value !== null && Object.keys(value).length > 0
  );
}

function printBlock(
  value: JsonObject | readonly Json[],
  indent: string,
  lines: string[],
): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[])
      printEntry(`${indent}-`, item, `${indent}  `, lines);
    return;
  }
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const text = keyText(key);
    if (text.length <= MAX_KEY) {
      printEntry(`${indent}${text}:`, member, `${indent}  `, lines);
    } else {
      lines.push(`${indent}? ${text}`);
      printEntry(`${indent}:`, member, `${indent}  `, lines);
    }
  }
}

/**
 * Maximum length of a key that is printed without `?`. YAML limits such keys to
 * 1,024 characters.
 */
const MAX_KEY = 1000;

/** @param indent indentation of all lines except the first */
function printEntry(
  head: string,
  value: Json,
  indent: string,
  lines: string[],
): void {
  if (!isBlock(value)) {
    printScalar(head, value, indent, lines);
    return;
  }
  const start = lines.length;
  printBlock(value, indent, lines);
  if (head.endsWith("-")) {
    // The first line of a list item is on the same line as the dash.
    lines[start] = `${head} ${lines[start]!.slice(indent.length)}`;
  } else {
    lines.splice(start, 0, head);
  }
}

function printScalar(
  head: string,
  value: Json,
  indent: string,
  lines: string[],
): void {
  if (typeof value !== "string" || !isLiteral(value)) {
    lines.push(`${head} ${scalar(value)}`);
    return;
  }
  lines.push(`${head} |-`);
  for (const line of value.split("\n"))
    lines.push(line === "" ? "" : indent + line);
}

/**
 * Pattern that matches multi-line strings that a literal block can contain
 * unchanged.
 */
const LITERAL = /^[^\s][\x20-\x7e\xa1-\u024f]*(?:\n[\x20-\x7e\xa1-\u024f]*)+$/;

function isLiteral(text: string): boolean {
  return text.includes("\n") && LITERAL.test(text) && !/\s$/.test(text);
}

function scalar(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? value : quoted(value);
  return JSON.stringify(value);
}

function keyText(key: string): string {
  return isPlain(key) ? key : quoted(key);
}

/**
 * Pattern that matches strings that contain no YAML syntax and are neither
 * numbers nor dates.
 */
const PLAIN = /^[A-Za-z_/$][\w/.$-]*(?:[ ,()'][\w/.$-]+)*\.?$/;

/** Pattern that matches words with a special meaning in YAML 1.1 or 1.2. */
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

function isPlain(text: string): boolean {
  return text.length <= 60 && PLAIN.test(text) && !WORDS.test(text);
}

/**
 * Returns a string in double quotes. The result is a single line without
 * control characters.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\xa0\xad\u0600-\u0605\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

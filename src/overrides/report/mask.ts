import { LineIndex } from "../document/source-text.js";
import type { Entry, MapNode, Node, Range } from "../document/tree.js";
import { propertyIndex, type Property } from "../schema/property-index.js";
import { MASK, redact, redactComment } from "../redact.js";
import { dottedProperty, isHiddenKey, isSensitive } from "../secrets.js";
import { keyedLines, type KeyedLine } from "../document/keyed-lines.js";

/**
 * Line in which secrets are masked, and the position of the requested column in
 * it.
 */
interface MaskedLine {
  readonly text: string;
  readonly column: number;
}

/**
 * Function that returns a line of a file with secrets masked. The line and the
 * column are counted from 1. If a column is passed, a long line is truncated to
 * the text around the column.
 */
export type LineMasker = (line: number, column?: number) => MaskedLine;

/** Number of characters that are shown on each side of a column. */
const WINDOW = 400;

/**
 * Returns a function that masks secrets in lines of a file. Values of keys that
 * are misspellings of secret keys are masked too.
 */
export function createLineMasker(lines: LineIndex, root?: MapNode): LineMasker {
  if (root === undefined) {
    const mask = new TextMasker(lines);
    return (line, column = 1) => windowAround(mask.maskLine(line), column);
  }
  let ranges: readonly Range[] | undefined;
  return (line, column) => {
    ranges ??= secretRanges(root);
    return maskLineRanges(lines, line, column, ranges);
  };
}

/** Truncates a string to the characters around a column. */
function windowAround(text: string, column: number): MaskedLine {
  const from = Math.max(0, Math.min(column - 1, text.length) - WINDOW);
  return {
    text: text.slice(from, from + 2 * WINDOW),
    column: Math.max(1, column - from),
  };
}

/** Returns the ranges of secrets in a file, sorted and without overlaps. */
function secretRanges(root: MapNode): Range[] {
  const ranges: Range[] = [];
  new SecretFinder(ranges).node(root, propertyIndex().root, false);
  ranges.sort((a, b) => a.start - b.start);
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start < last.end)
      last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

class SecretFinder {
  readonly #ranges: Range[];
  /**
   * Visited nodes. The value is true if the node was visited as a secret. A node
   * with several aliases is visited again if a later alias makes the node secret.
   */
  readonly #visited = new Map<Node, boolean>();

  constructor(ranges: Range[]) {
    this.#ranges = ranges;
  }

  node(node: Node, property: Property | undefined, isSecret: boolean): void {
    if (node.kind === "scalar") return this.#scalar(node, property, isSecret);
    const known = this.#visited.get(node);
    if (known === true || known === isSecret) return;
    this.#visited.set(node, isSecret);
    if (node.kind === "list")
      for (const item of node.items) this.node(item, property?.item, isSecret);
    if (node.kind === "map")
      for (const entry of node.entries) this.#entry(entry, property, isSecret);
  }

  #scalar(
    node: Extract<Node, { kind: "scalar" }>,
    property: Property | undefined,
    isSecret: boolean,
  ): void {
    const isHidden =
      isSecret ||
      (property !== undefined && isSensitive(property)) ||
      (typeof node.value === "string" && containsSecret(node.value));
    if (isHidden) this.#ranges.push(node.range);
  }

  #entry(
    { key, keyRange, value }: Entry,
    owner: Property | undefined,
    isSecret: boolean,
  ): void {
    // A key can be a dotted path such as `cassandra.auth.admin`.
    const property =
      owner?.members.get(key) ?? owner?.wildcard ?? dottedProperty(owner, key);
    const isOwn =
      isSecret || (property === undefined && isBelowAuth(owner))
        ? true
        : isSecretEntry(key, property);
    if (isSecret || containsSecret(key)) this.#ranges.push(keyRange);
    if (isOwn) this.#ranges.push(value.range);
    this.node(value, property, isOwn);
  }
}

function isSecretEntry(key: string, property: Property | undefined): boolean {
  return property === undefined || property.key === "*"
    ? isHiddenKey(key)
    : property.row.secret === true;
}

/**
 * Tests whether a property is part of the block `cassandra.auth`. Unknown
 * members of this block are masked, because they can be database users.
 */
function isBelowAuth(owner: Property | undefined): boolean {
  return owner?.row.path.startsWith("cassandra.auth") === true;
}

/** Tests whether a string contains a secret, regardless of its key. */
function containsSecret(text: string): boolean {
  return /[@:=]|-----BEGIN/.test(text) && redact(text) !== text;
}

/** Returns the index of the first range that ends after the given offset. */
function firstAfter(ranges: readonly Range[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function maskLineRanges(
  lines: LineIndex,
  line: number,
  column: number | undefined,
  ranges: readonly Range[],
): MaskedLine {
  const begin = lines.startOf(line);
  const lineText = lines.lineText(line);
  const columnIndex = (column ?? 1) - 1;
  const from =
    column === undefined
      ? 0
      : Math.max(0, Math.min(columnIndex, lineText.length) - WINDOW);
  const text =
    column === undefined ? lineText : lineText.slice(from, from + 2 * WINDOW);
  const start = begin + from;
  let shown = "";
  let at = 0;
  let moved = 0;
  for (
    let index = firstAfter(ranges, start);
    index < ranges.length && ranges[index]!.start < start + text.length;
    index++
  ) {
    const range = ranges[index]!;
    const first = Math.max(at, range.start - start);
    const last = Math.min(text.length, range.end - start);
    if (first >= last) continue;
    shown += text.slice(at, first) + MASK;
    if (last < columnIndex - from + 1) moved += last - first - MASK.length;
    at = last;
  }
  shown += text.slice(at);
  return redactTrailingComment(shown, columnIndex - from - moved + 1);
}

/** Masks possible secrets in the comment at the end of a line. */
function redactTrailingComment(text: string, column: number): MaskedLine {
  const hash = text.search(/(?:^|\s)#/);
  if (hash < 0) return { text, column };
  return {
    text: text.slice(0, hash) + redactComment(text.slice(hash)),
    column,
  };
}

/**
 * Pattern for lines that are probably part of a base64-encoded key or
 * certificate.
 */
const ENCODED = /^[\s"'-]*[A-Za-z0-9+/]{40,}={0,2}["']?\s*$/;

/**
 * Class that masks secrets in the lines of text that is not valid YAML. Masks
 * PEM blocks and the values of secret keys, including continuation lines.
 */
class TextMasker {
  readonly #lines: LineIndex;
  #keyed: readonly KeyedLine[] | undefined;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  maskLine(line: number): string {
    const text = this.#lines.lineText(line);
    if (this.#isInPem(line) || ENCODED.test(text)) return MASK;
    this.#keyed ??= keyedLines(this.#lines.text, propertyIndex().root);
    const nearest = this.#keyed.filter((keyed) => keyed.line <= line).at(-1);
    if (nearest === undefined) return redactComment(text);
    if (this.#isBelowSecret(nearest, line)) return MASK;
    if (nearest.line === line) return this.#maskKeyedLine(nearest, text);
    return holdsSecret(nearest) ? MASK : redactComment(text);
  }

  /** Masks the value in a line of the form `key: value`. */
  #maskKeyedLine(keyed: KeyedLine, text: string): string {
    const at = keyed.valueOffset - this.#lines.startOf(keyed.line);
    const hasValue = text.slice(at).trim() !== "";
    return hasValue && holdsSecret(keyed)
      ? text.slice(0, at) + MASK
      : redactComment(text);
  }

  /**
   * Tests whether a line continues the value of a secret key: the line is
   * indented more deeply, or the value has an unclosed quote.
   */
  #isBelowSecret(from: KeyedLine, line: number): boolean {
    let indent = Infinity;
    for (const keyed of this.#above(from)) {
      if (keyed.line < line && isSecret(keyed)) {
        const isDeeper = keyed.indent < indent && keyed.line < from.line;
        if (isDeeper || this.#opensQuote(keyed)) return true;
      }
      indent = Math.min(indent, keyed.indent);
    }
    return false;
  }

  *#above(from: KeyedLine): Generator<KeyedLine> {
    const start = this.#keyed!.indexOf(from);
    for (let index = start; index >= 0; index--) yield this.#keyed![index]!;
  }

  /**
   * Tests whether a value begins with a quote that is not closed on the same
   * line.
   */
  #opensQuote({ line, valueOffset }: KeyedLine): boolean {
    const value = this.#lines
      .lineText(line)
      .slice(valueOffset - this.#lines.startOf(line));
    const quote = value[0];
    return (quote === '"' || quote === "'") && value.indexOf(quote, 1) < 0;
  }

  #isInPem(line: number): boolean {
    const { text } = this.#lines;
    const start = this.#lines.startOf(line);
    const begin = text.lastIndexOf("-----BEGIN", start + 1);
    if (begin < 0) return false;
    const end = text.indexOf("-----END", begin);
    return end < 0 || end >= start;
  }
}

/** Tests whether a key marks all values nested under it as secret. */
function isSecret({ property, key }: KeyedLine): boolean {
  return property === undefined
    ? isHiddenKey(key)
    : property.row.secret === true;
}

/**
 * Tests whether a key marks a scalar value as secret. The scalar can be on the
 * line of the key or on the next line.
 */
function holdsSecret(keyed: KeyedLine): boolean {
  const { property } = keyed;
  return isSecret(keyed) || (property !== undefined && isSensitive(property));
}

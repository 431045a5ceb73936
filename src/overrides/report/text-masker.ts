import { keyedLines, type KeyedLine } from "../document/keyed-lines.js";
import type { LineIndex } from "../document/line-index.js";
import { propertyIndex } from "../schema/property-index.js";
import { MASK, redactComment } from "../redact.js";
import { isHiddenKey, isSensitive } from "../secrets.js";

/**
 * Pattern for lines that are probably part of a base64-encoded key or
 * certificate.
 */
const ENCODED = /^[\s"'-]*[A-Za-z0-9+/]{40,}={0,2}["']?\s*$/;

/**
 * Class that masks secrets in the lines of text that is not valid YAML. Masks
 * PEM blocks and the values of secret keys, including continuation lines.
 */
export class TextMasker {
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

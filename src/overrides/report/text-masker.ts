import { keyedLines, type KeyedLine } from "../document/keyed-lines.js";
import type { Lines } from "../document/lines.js";
import { knowledge } from "../schema/property-index.js";
import { MASK, redactComment } from "../redact.js";
import { isHiddenKey, isSensitive } from "../secrets.js";

/** A line that is likely to be part of a key or certificate. */
const ENCODED = /^[\s"'-]*[A-Za-z0-9+/]{40,}={0,2}["']?\s*$/;

/**
 * Shows lines of a text that is not YAML yet: the values of keys that hold
 * secrets, with the lines below them, are left out; so are PEM blocks.
 */
export class TextMask {
  readonly #lines: Lines;
  #keyed: readonly KeyedLine[] | undefined;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  show(line: number): string {
    const text = this.#lines.lineText(line);
    if (this.#isInPem(line) || ENCODED.test(text)) return MASK;
    this.#keyed ??= keyedLines(this.#lines.text, knowledge().root);
    const nearest = this.#keyed.filter((keyed) => keyed.line <= line).at(-1);
    if (nearest === undefined) return redactComment(text);
    if (this.#isBelowSecret(nearest, line)) return MASK;
    if (nearest.line === line) return this.#own(nearest, text);
    return holdsSecret(nearest) ? MASK : redactComment(text);
  }

  /** A line with a key. */
  #own(keyed: KeyedLine, text: string): string {
    const at = keyed.valueAt - this.#lines.startOf(keyed.line);
    const hasValue = text.slice(at).trim() !== "";
    return hasValue && holdsSecret(keyed)
      ? text.slice(0, at) + MASK
      : redactComment(text);
  }

  /** Whether a line belongs to the value of a secret's key, by indentation or by a quote that is open. */
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

  /** A quote that does not end in its line. */
  #opensQuote({ line, valueAt }: KeyedLine): boolean {
    const own = this.#lines
      .lineText(line)
      .slice(valueAt - this.#lines.startOf(line));
    const quote = own[0];
    return (quote === '"' || quote === "'") && own.indexOf(quote, 1) < 0;
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

/** Whether all that belongs to a key is secret. */
function isSecret({ property, key }: KeyedLine): boolean {
  return property === undefined
    ? isHiddenKey(key)
    : property.row.secret === true;
}

/** Whether a value in the line of a key, or right below it, is secret. */
function holdsSecret(keyed: KeyedLine): boolean {
  const { property } = keyed;
  return isSecret(keyed) || (property !== undefined && isSensitive(property));
}

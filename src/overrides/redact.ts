import { MASK, redact as redactText } from "../runtime/rules/mask.js";
import { propertyIndex } from "./schema/property-index.js";

export { MASK } from "../runtime/rules/mask.js";

/**
 * Pattern for words that can be followed by a secret in a comment, even without
 * a colon.
 */
const SECRET_WORD =
  /pass(?:word|wd|phrase)?\b|\bpwd\b|secret\b|token\b|credential/i;

/**
 * Masks possible secrets in a string: values of keys with names such as
 * `password`, user names and passwords in URLs, and PEM blocks.
 */
export function redact(text: string): string {
  return redactText(text, propertyIndex());
}

/**
 * Masks possible secrets in a comment, including text after words such as
 * "password".
 */
export function redactComment(text: string): string {
  const shown = redact(text);
  const strong = SECRET_WORD.exec(shown);
  if (strong === null) return shown;
  const at = strong.index + strong[0].length;
  const rest = shown
    .slice(at)
    .replace(/[^\s"'`,;()]{6,}/g, (word) =>
      /[0-9]/.test(word) && /[A-Za-z]/.test(word) ? MASK : word,
    );
  return shown.slice(0, at) + rest;
}

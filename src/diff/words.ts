import { createHash } from "node:crypto";
import { formatCount } from "../diagnostics/format-count.js";
import { canonicalDocument } from "../load/canonical.js";

/** Maximum length of a value in a message, in UTF-16 code units. */
const MAX_LENGTH = 80;

/** Formats a value for a message: quoted, and truncated to 80 characters. */
export function quoted(text: string): string {
  return JSON.stringify(
    text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text,
  );
}

/** Lists values for a message, sorted and truncated to 320 characters. */
export function listed(values: readonly string[]): string {
  if (values.length === 0) return "(none)";
  const text = [...values].sort().join(", ");
  return text.length > 4 * MAX_LENGTH
    ? `${text.slice(0, 4 * MAX_LENGTH)}…`
    : text;
}

/**
 * Returns `used by` with one of the methods that use a schema, and the number
 * of the others; undefined if no method uses it.
 * @param print formats the id of the method
 */
export function usersWords(
  users: readonly string[] = [],
  print = (method: string): string => method,
): string | undefined {
  const [first, ...others] = users;
  if (first === undefined) return undefined;
  const rest =
    others.length === 0
      ? ""
      : ` and ${formatCount(others.length, "other method")}`;
  return `used by ${print(first)}${rest}`;
}

/**
 * Tests whether two JSON values differ only in the order of keys. A missing
 * value is equal to false, because false is the default of flags in documents.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  const textOf = (value: unknown): string =>
    value === undefined || value === false ? "" : canonicalDocument([value]);
  return textOf(a) === textOf(b);
}

/**
 * Returns 16 hexadecimal digits that identify a change. The digits depend only
 * on the given strings, so a change has the same fingerprint in all revisions.
 */
export function fingerprintOf(...words: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(words))
    .digest("hex")
    .slice(0, 16);
}

import { createHash } from "node:crypto";
import { formatCount } from "../diagnostics/format-count.js";
import { canonicalDocument } from "../load/canonical.js";
import { isUsed, mostSevere, type Change } from "./severity.js";
import type { UsePosition } from "./uses/types.js";

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

/**
 * Formats how many changes affect the user's code: `3 of 555 breaking changes
 * touch this code`. Returns undefined if the use was not determined.
 */
export function usedWords(changes: readonly Change[]): string | undefined {
  if (changes.every(({ usedAt }) => usedAt === undefined)) return undefined;
  const breaking = changes.filter(
    (change) => mostSevere(change) === "breaking",
  );
  const used = breaking.filter(isUsed).length;
  const noun = breaking.length === 1 ? "change" : "changes";
  const verb = used === 1 ? "touches" : "touch";
  return `${used} of ${breaking.length} breaking ${noun} ${verb} this code`;
}

/** Maximum number of positions in the line of a report about one change. */
const MAX_POSITIONS = 5;

/**
 * Returns the positions in the user's code that a change affects: `used at
 * src/a.ts:3:5 and 2 other positions`. Returns undefined if there is none.
 * @param print formats a position
 */
export function usedAtWords(
  positions: readonly UsePosition[] = [],
  print = (position: string): string => position,
): string | undefined {
  if (positions.length === 0) return undefined;
  const shown = positions
    .slice(0, MAX_POSITIONS)
    .map(
      ({ file, line, column, undecided }) =>
        print(`${file}:${line}:${column}`) +
        (undecided === true ? " (undecided)" : ""),
    );
  const rest = positions.length - shown.length;
  const others =
    rest === 0 ? "" : ` and ${formatCount(rest, "other position")}`;
  return `used at ${shown.join(", ")}${others}`;
}

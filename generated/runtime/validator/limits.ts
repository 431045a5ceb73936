/* eslint-disable */
// biome-ignore-all lint: generated

import type { Key, Run } from "./contract.js";
import { report } from "./run.js";
import { fail } from "./expected.js";

/**
 * Checks a string against the values of an enum. Accepts any string if
 * `openEnums` is set.
 */
export function oneOf(
  run: Run,
  key: Key,
  value: unknown,
  values: ReadonlySet<string>,
): boolean {
  if (typeof value !== "string") return fail(run, key, value, "string");
  if (run.opensEnums || values.has(value)) return false;
  const expected = [...values].slice(0, 20).join(", ");
  const more = values.size > 20 ? " …" : "";
  const message = `must be one of ${expected}${more}`;
  return report(run, key, "enum", message, expected + more);
}

/**
 * Checks the minimum of a number or of a string of decimal digits. A value of
 * another type is reported by the caller.
 */
export function minimum(
  run: Run,
  key: Key,
  value: unknown,
  limit: number | string,
): boolean {
  if (!isBelow(asDigits(run, value, limit), limit)) return false;
  const expected = String(limit);
  return report(run, key, "minimum", `must be at least ${limit}`, expected);
}

/**
 * Checks the maximum of a number or of a string of decimal digits. A value of
 * another type is reported by the caller.
 */
export function maximum(
  run: Run,
  key: Key,
  value: unknown,
  limit: number | string,
): boolean {
  if (!isBelow(limit, asDigits(run, value, limit))) return false;
  const expected = String(limit);
  return report(run, key, "maximum", `must be at most ${limit}`, expected);
}

/**
 * Converts a number to a string of digits if `int64Numbers` is set and the
 * limit is also a string of digits.
 */
function asDigits(run: Run, value: unknown, limit: number | string): unknown {
  return typeof value === "number" &&
    typeof limit === "string" &&
    run.int64Numbers !== undefined
    ? String(value)
    : value;
}

/** Tests whether a < b. Strings of digits are compared as integers. */
function isBelow(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return a < b;
  return isDigits(a) && isDigits(b) && BigInt(a) < BigInt(b);
}

/**
 * Tests whether a value is a string of at most 20 digits, which is enough for a
 * 64-bit integer. Longer strings are reported by the check of the format.
 */
function isDigits(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,20}$/.test(value);
}

/**
 * Checks a string against a pattern. A value of another type is reported by the
 * caller.
 */
export function pattern(
  run: Run,
  key: Key,
  value: unknown,
  form: RegExp,
): boolean {
  if (typeof value !== "string" || form.test(value)) return false;
  const message = `must match ${form.source}`;
  return report(run, key, "pattern", message, form.source);
}

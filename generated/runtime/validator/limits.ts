/* eslint-disable */
// biome-ignore-all lint: generated

import type { Key, Run } from "./contract.js";
import { report } from "./run.js";
import { fail } from "./expected.js";

/** Reports a string that the enum does not list, unless `openEnums` is set. */
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
 * Checks that a number, or a string of decimal digits, is not less than a
 * minimum. The caller reports values of other types.
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
 * Checks that a number, or a string of decimal digits, is not greater than a
 * maximum. The caller reports values of other types.
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
 * Converts a number to a string, to compare it with a limit that is a string of
 * digits. Without the option `int64Numbers`, the number is returned unchanged.
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
 * 64-bit integer. The format check reports longer strings.
 */
function isDigits(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,20}$/.test(value);
}

/**
 * Checks that a string matches a pattern. The caller reports values of other
 * types.
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

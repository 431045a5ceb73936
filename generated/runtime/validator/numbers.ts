/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Tests whether a value is a finite number. JSON can't represent other numbers.
 */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Tests whether a value is an integer. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** Tests whether a value has the format `int32`. */
export function isInt32(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** Tests whether a value has the format `uint32`. */
export function isUint32(value: unknown): value is number {
  return typeof value === "number" && value >>> 0 === value;
}

/**
 * Tests whether a value has the format `double` or `float`. `NaN` and infinite
 * numbers must be strings, because JSON can't represent them as numbers.
 */
export function isDouble(
  value: unknown,
): value is number | "NaN" | "Infinity" | "-Infinity" {
  return (
    Number.isFinite(value) ||
    value === "NaN" ||
    value === "Infinity" ||
    value === "-Infinity"
  );
}

/**
 * Tests whether a value has the format `int64`: a string of decimal digits,
 * from -2^63 to 2^63 - 1.
 */
export function isInt64(value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (value.charCodeAt(0) !== MINUS)
    return isWithin(value, 0, "9223372036854775807");
  return isWithin(value, 1, "9223372036854775808");
}

/**
 * Tests whether a value has the format `uint64`: a string of decimal digits,
 * from 0 to 2^64 - 1.
 */
export function isUint64(value: unknown): value is string {
  return (
    typeof value === "string" && isWithin(value, 0, "18446744073709551615")
  );
}

const MINUS = 45;

/**
 * Tests whether the text after an offset consists of decimal digits and
 * represents an integer that does not exceed a limit.
 */
function isWithin(text: string, start: number, limit: string): boolean {
  const { length } = text;
  if (length <= start) return false;
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  if (length - start < limit.length) return true;
  const digits = text.slice(start).replace(/^0+/, "");
  return (
    digits.length < limit.length ||
    (digits.length === limit.length && digits <= limit)
  );
}

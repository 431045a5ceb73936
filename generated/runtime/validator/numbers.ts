/* eslint-disable */
// biome-ignore-all lint: generated

/** Whether a value is a finite number: JSON has no others. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Whether a value is a whole number. */
export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** Format `int32`. */
export function isInt32(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** Format `uint32`. */
export function isUint32(value: unknown): value is number {
  return typeof value === "number" && value >>> 0 === value;
}

/** Formats `double` and `float`: the numbers that JSON lacks are texts. */
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

/** Format `int64` of a string: decimal digits from -2^63 to 2^63 - 1. */
export function isInt64(value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (value.charCodeAt(0) !== MINUS)
    return isWithin(value, 0, "9223372036854775807");
  return isWithin(value, 1, "9223372036854775808");
}

/** Format `uint64` of a string: decimal digits from 0 to 2^64 - 1. */
export function isUint64(value: unknown): value is string {
  return (
    typeof value === "string" && isWithin(value, 0, "18446744073709551615")
  );
}

const MINUS = 45;

/** Whether digits from a place on are at most a limit. */
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

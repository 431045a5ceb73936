/* eslint-disable */
// biome-ignore-all lint: generated

// Tests for the types and formats of scalar values in JSON.

/** Tests whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Tests whether a value is a boolean. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

const EQUALS_SIGN = 61;
const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * Tests whether a value has the format `byte`: base64 in the standard or
 * URL-safe alphabet, with or without padding.
 */
export function isBytes(value: unknown): value is string {
  if (typeof value !== "string" || !BASE64.test(value)) return false;
  const { length } = value;
  const isPadded = value.charCodeAt(length - 1) === EQUALS_SIGN;
  return isPadded ? length % 4 === 0 : length % 4 !== 1;
}

const FIELD_MASK = /^(?:[^,]+(?:,[^,]+)*)?$/;

/**
 * Tests whether a value has the format `google-fieldmask`: field paths
 * separated by commas, or an empty string.
 */
export function isFieldMask(value: unknown): value is string {
  return typeof value === "string" && FIELD_MASK.test(value);
}

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

const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Tests whether a value has the format `date`: a day from 0001-01-01 to
 * 9999-12-31, such as `2024-02-29`.
 */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && DATE.test(value) && startsWithDay(value);
}

const TIMESTAMP =
  /^\d{4}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Tests whether a value has the format `date-time` or `google-datetime`: an RFC
 * 3339 timestamp with up to nine decimal places.
 */
export function isTimestamp(value: unknown): value is string {
  return (
    typeof value === "string" && TIMESTAMP.test(value) && startsWithDay(value)
  );
}

const DURATION = /^-?\d+(?:\.\d{1,9})?s$/;

/**
 * Tests whether a value has the format `google-duration`: a number of seconds
 * such as `3.5s`, up to 10,000 years.
 */
export function isDuration(value: unknown): value is string {
  return (
    typeof value === "string" &&
    DURATION.test(value) &&
    Math.abs(parseInt(value, 10)) <= 315_576_000_000
  );
}

/**
 * Tests whether the first ten characters (`YYYY-MM-DD`) are a valid calendar
 * day.
 */
function startsWithDay(text: string): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysOf(year, month);
}

/**
 * Parses two digits. This is faster than converting a substring to a number.
 */
function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 48 * 11;
}

function daysOf(year: number, month: number): number {
  if (month === 2)
    return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/* eslint-disable */
// biome-ignore-all lint: generated

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

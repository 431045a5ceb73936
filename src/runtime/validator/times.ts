const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Format `date`: a day from 0001-01-01 to 9999-12-31, such as `2024-02-29`. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isDay(DATE.exec(value));
}

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Formats `date-time` and `google-datetime`: RFC 3339, up to nanoseconds. */
export function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && isDay(TIMESTAMP.exec(value));
}

const DURATION = /^-?(\d+)(?:\.\d{1,9})?s$/;

/** Format `google-duration`: seconds, up to 10 000 years, such as `3.5s`. */
export function isDuration(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const seconds = DURATION.exec(value)?.[1];
  return seconds !== undefined && Number(seconds) <= 315_576_000_000;
}

/** Whether year, month and day of a match are a day of the calendar. */
function isDay(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month !== 2)
    return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

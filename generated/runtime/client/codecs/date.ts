/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";

/** A day of the calendar, in no time zone. */
export interface CalendarDate {
  /** 1 to 9999. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/**
 * Format `date`: text such as `"2024-02-29"`, as year, month and day.
 *
 * @throws SyntaxError for text of another form or a day that is none.
 * @throws RangeError for a day to encode that is none.
 */
export const date: Codec<string, CalendarDate> = {
  decode(wire) {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(wire) ?? [];
    if (!isDay(wire)) throw new SyntaxError(`not a date: ${wire}`);
    return { year: Number(year), month: Number(month), day: Number(day) };
  },
  encode({ year, month, day }) {
    const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
    if (!isDay(text)) throw new RangeError(`not a date: ${text}`);
    return text;
  },
};

function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

/** Date.parse takes the 30th of February for the 1st of March. */
function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

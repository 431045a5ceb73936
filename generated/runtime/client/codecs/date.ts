/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";

/** Calendar date without a time or time zone. */
export interface CalendarDate {
  /** 1 to 9999. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/**
 * Converts between text such as `"2024-02-29"` (format `date`) and a {@link
 * CalendarDate}.
 *
 * @throws SyntaxError for text that is not a valid date.
 * @throws RangeError when encoding a date that does not exist.
 */
export const date: Codec<string, CalendarDate> = {
  decode(wire) {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(wire) ?? [];
    if (!isDay(wire)) throw new SyntaxError(`${wire} is not a date`);
    return { year: Number(year), month: Number(month), day: Number(day) };
  },
  encode({ year, month, day }) {
    const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
    if (!isDay(text)) throw new RangeError(`${text} is not a date`);
    return text;
  },
};

function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

/**
 * Tests whether a date exists. Date.parse is not sufficient, because it
 * converts 30 February to 1 March.
 */
function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

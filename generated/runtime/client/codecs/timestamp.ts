/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";
import { decodeFraction, encodeFraction } from "./fraction.js";

/** Point in time with nanosecond precision. */
export interface Instant {
  /** Integer seconds since 1970-01-01T00:00:00Z, rounded down. */
  readonly epochSeconds: number;
  /** Nanoseconds within the second, from 0 to 999,999,999. */
  readonly nanos: number;
}

/**
 * Converts between RFC 3339 text such as `"2024-02-29T12:30:00.123456789Z"`
 * (formats `google-datetime` and `date-time`) and an {@link Instant}, without
 * loss of precision. Decodes `Z` and other UTC offsets. Encodes UTC with 0, 3,
 * 6 or 9 fractional digits.
 *
 * @throws SyntaxError for text that is not a valid timestamp.
 * @throws RangeError outside the years 0001 to 9999, or for invalid
 *   nanoseconds.
 */
export const instant: Codec<string, Instant> = {
  decode: decodeInstant,
  encode({ epochSeconds, nanos }) {
    const text = isoText(epochSeconds * 1000).slice(0, 19);
    if (!Number.isInteger(epochSeconds) || nanos < 0)
      throw new RangeError(
        "epochSeconds must be an integer, and nanos must not be negative",
      );
    return `${text}${encodeFraction(nanos)}Z`;
  },
};

/**
 * Converts between RFC 3339 text (formats `google-datetime` and `date-time`)
 * and a `Date`. Like {@link instant}, but rounded down to milliseconds.
 *
 * @throws SyntaxError for text that is not a valid timestamp.
 * @throws RangeError outside the years 0001 to 9999.
 */
export const timestamp: Codec<string, Date> = {
  decode(wire) {
    const { epochSeconds, nanos } = decodeInstant(wire);
    return new Date(epochSeconds * 1000 + Math.floor(nanos / 1e6));
  },
  encode: (value) => isoText(value.getTime()),
};

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

function decodeInstant(wire: string): Instant {
  const [, day, time, fraction, sign, hours, minutes] =
    RFC3339.exec(wire) ?? [];
  const local = Date.parse(`${day}T${time}Z`);
  // Values that Date.parse changes without an error are rejected: 30 February
  // becomes 1 March, and 24:00:00 becomes the next day.
  if (Number.isNaN(local) || isoText(local).slice(0, 19) !== `${day}T${time}`)
    throw new SyntaxError(`${wire} is not a timestamp`);
  const offset = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60;
  const epochSeconds = local / 1000 + (sign === "-" ? offset : -offset);
  isoText(epochSeconds * 1000);
  return { epochSeconds, nanos: decodeFraction(fraction) };
}

/** @throws RangeError outside the years 0001 to 9999. */
function isoText(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  if (!/^(?!0000)\d{4}-/.test(text))
    throw new RangeError(`the year of ${text} must be from 0001 to 9999`);
  return text;
}

/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";
import { decodeFraction, encodeFraction } from "./fraction.js";

/**
 * Duration with nanosecond precision. Seconds and nanoseconds must have the
 * same sign.
 */
export interface Duration {
  /**
   * Integer number of seconds, from -315,576,000,000 to 315,576,000,000 (10,000
   * years).
   */
  readonly seconds: number;
  /** Nanoseconds, from -999,999,999 to 999,999,999. */
  readonly nanos: number;
}

/**
 * Converts between text such as `"3.5s"` or `"-0.000000001s"` (format
 * `google-duration`) and a {@link Duration}, without loss of precision.
 *
 * @throws SyntaxError for text that is not a duration.
 * @throws RangeError for numbers that are out of range or differ in sign.
 */
export const duration: Codec<string, Duration> = {
  decode: decodeDuration,
  encode: encodeDuration,
};

/**
 * Converts between text (format `google-duration`) and milliseconds: `"3.5s"`
 * is 3500. The number may have a fraction; encoding rounds to nanoseconds.
 *
 * @throws SyntaxError for text that is not a duration.
 * @throws RangeError for more than 10,000 years.
 */
export const milliseconds: Codec<string, number> = {
  decode(wire) {
    const { seconds, nanos } = decodeDuration(wire);
    return seconds * 1000 + nanos / 1e6;
  },
  encode(value) {
    const seconds = Math.trunc(value / 1000);
    const nanos = Math.round((value - seconds * 1000) * 1e6);
    const carry = Math.trunc(nanos / 1e9);
    return encodeDuration({
      seconds: seconds + carry,
      nanos: nanos - carry * 1e9,
    });
  },
};

function decodeDuration(wire: string): Duration {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/.exec(wire);
  if (!match) throw new SyntaxError(`${wire} is not a duration`);
  const sign = match[1] ? -1 : 1;
  // Adding 0 converts -0 to 0, so that results never contain -0.
  const seconds = Number(match[2]) * sign + 0;
  checkSeconds(seconds);
  return { seconds, nanos: decodeFraction(match[3]) * sign + 0 };
}

function encodeDuration({ seconds, nanos }: Duration): string {
  checkSeconds(seconds);
  if (seconds * nanos < 0)
    throw new RangeError("seconds and nanos must have the same sign");
  const sign = seconds < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(seconds)}${encodeFraction(Math.abs(nanos))}s`;
}

function checkSeconds(seconds: number): void {
  if (!Number.isInteger(seconds) || Math.abs(seconds) > 315_576_000_000)
    throw new RangeError(
      `seconds must be an integer from -315576000000 to 315576000000; received ${seconds}`,
    );
}

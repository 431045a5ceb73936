/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";
import { decodeFraction, encodeFraction } from "./fraction.js";

/** A length of time, to the nanosecond. Both parts have the same sign. */
export interface Duration {
  /** Whole seconds, up to 315 576 000 000 (10 000 years) either way. */
  readonly seconds: number;
  /** Nanoseconds, up to 999 999 999 either way. */
  readonly nanos: number;
}

/**
 * Format `google-duration`: seconds with an `s`, such as `"3.5s"` or
 * `"-0.000000001s"`, as a {@link Duration}; nothing is lost.
 *
 * @throws SyntaxError for text of another form.
 * @throws RangeError for parts that are too large or differ in sign.
 */
export const duration: Codec<string, Duration> = {
  decode: decodeDuration,
  encode: encodeDuration,
};

/**
 * Format `google-duration` as milliseconds, `"3.5s"` as 3500; fractions of a
 * millisecond become fractions. Encodes to the nearest nanosecond.
 *
 * @throws SyntaxError for text of another form.
 * @throws RangeError for more than 10 000 years.
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
  if (!match) throw new SyntaxError(`not a duration: ${wire}`);
  const sign = match[1] ? -1 : 1;
  // Adding 0 turns -0 into 0.
  const seconds = Number(match[2]) * sign + 0;
  checkSeconds(seconds);
  return { seconds, nanos: decodeFraction(match[3]) * sign + 0 };
}

function encodeDuration({ seconds, nanos }: Duration): string {
  checkSeconds(seconds);
  if (seconds * nanos < 0) throw new RangeError("parts that differ in sign");
  const sign = seconds < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(seconds)}${encodeFraction(Math.abs(nanos))}s`;
}

function checkSeconds(seconds: number): void {
  if (!Number.isInteger(seconds) || Math.abs(seconds) > 315_576_000_000)
    throw new RangeError(`not whole seconds within 10000 years: ${seconds}`);
}

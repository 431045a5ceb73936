/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Conversions between JSON values and JavaScript types, one for each `format`
 * in API descriptions. The client itself does not convert values, so that a
 * response can be sent back unchanged. Call the conversions where you need
 * them:
 *
 *     timestamp.decode(file.modifiedTime).getFullYear()
 */
import type { Double } from "./types.js";

/** Conversion between the JSON form of a value and a JavaScript type. */
export interface Codec<Wire, Value> {
  /** Converts a value from its JSON form. */
  decode(wire: Wire): Value;
  /** Converts a value to its JSON form. */
  encode(value: Value): Wire;
}

/**
 * Converts between decimal text such as `"-9007199254740993"` (format `int64`)
 * and a bigint.
 *
 * @throws SyntaxError for text that is not a decimal integer.
 * @throws RangeError outside of -2^63 to 2^63 - 1.
 */
export const int64: Codec<string, bigint> = {
  decode: (wire) => signed(parseInteger(wire)),
  encode: (value) => signed(value).toString(),
};

/**
 * Converts between decimal text such as `"18446744073709551615"` (format
 * `uint64`) and a bigint.
 *
 * @throws SyntaxError for text that is not a decimal integer.
 * @throws RangeError outside of 0 to 2^64 - 1.
 */
export const uint64: Codec<string, bigint> = {
  decode: (wire) => unsigned(parseInteger(wire)),
  encode: (value) => unsigned(value).toString(),
};

/**
 * Converts between the JSON form of a floating-point number (formats `double`
 * and `float`) and a JavaScript number. The JSON form is a number, or one of
 * the strings `"NaN"`, `"Infinity"` and `"-Infinity"`.
 */
export const double: Codec<Double, number> = {
  decode: (wire) => Number(wire),
  encode: (value) =>
    Number.isFinite(value) ? value : (String(value) as Double),
};

function parseInteger(wire: string): bigint {
  // Some servers send small values as JSON numbers instead of strings.
  const text = String(wire);
  if (!/^-?\d+$/.test(text)) throw new SyntaxError(`${text} is not an integer`);
  return BigInt(text);
}

function signed(value: bigint): bigint {
  return inRange(value, BigInt.asIntN(64, value));
}

function unsigned(value: bigint): bigint {
  return inRange(value, BigInt.asUintN(64, value));
}

function inRange(value: bigint, wrapped: bigint): bigint {
  if (value !== wrapped)
    throw new RangeError(`${value} is out of range for 64 bits`);
  return value;
}

/**
 * Converts between base64 text (format `byte`) and bytes. Decodes the standard
 * and the URL-safe alphabet, with or without padding; encodes the standard
 * alphabet with padding.
 *
 * @throws SyntaxError for text that is not base64.
 */
export const bytes: Codec<string, Uint8Array<ArrayBuffer>> = {
  decode: decodeBase64,
  encode: encodeBase64,
};

/**
 * Converts between base64 text (format `byte`) and bytes, for parameters in
 * paths and queries. Like {@link bytes}, but encodes with the URL-safe alphabet
 * (`-`, `_`) and without padding.
 *
 * @throws SyntaxError for text that is not base64.
 */
export const urlBytes: Codec<string, Uint8Array<ArrayBuffer>> = {
  decode: decodeBase64,
  encode: (value) =>
    encodeBase64(value)
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/==?$/, ""),
};

function decodeBase64(wire: string): Uint8Array<ArrayBuffer> {
  const text = wire.replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new SyntaxError("base64 text has an invalid character");
  try {
    const binary = atob(text);
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch (cause) {
    throw new SyntaxError("base64 text has an invalid length", { cause });
  }
}

function encodeBase64(value: Uint8Array): string {
  let binary = "";
  // The bytes are encoded in chunks, because JavaScript engines limit the
  // number of arguments of a call.
  for (let at = 0; at < value.length; at += 8192)
    binary += String.fromCharCode(...value.subarray(at, at + 8192));
  return btoa(binary);
}

/**
 * Converts between comma-separated paths such as `"name,address.city"` (format
 * `google-fieldmask`) and an array of paths. Empty text corresponds to an empty
 * array.
 *
 * @throws RangeError when encoding a path that is empty or contains a comma.
 */
export const fieldMask: Codec<string, readonly string[]> = {
  decode: (wire) => (wire ? wire.split(",") : []),
  encode(paths) {
    const bad = paths.find((path) => !path || path.includes(","));
    if (bad !== undefined) throw new RangeError(`"${bad}" is not a field path`);
    return paths.join(",");
  },
};

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

/**
 * Parses the digits after the decimal point as nanoseconds. Returns 0 if there
 * are no digits.
 */
export function decodeFraction(digits: string | undefined): number {
  return Number((digits ?? "").padEnd(9, "0"));
}

/**
 * Formats nanoseconds as a decimal point and 3, 6 or 9 digits. Returns an empty
 * string for 0.
 *
 * @throws RangeError unless `nanos` is an integer from 0 to 999,999,999.
 */
export function encodeFraction(nanos: number): string {
  if (!Number.isInteger(nanos) || nanos < 0 || nanos >= 1e9)
    throw new RangeError(
      `nanos must be an integer from 0 to 999999999; received ${nanos}`,
    );
  if (nanos === 0) return "";
  return (
    "." +
    String(nanos)
      .padStart(9, "0")
      .replace(/(000){1,2}$/, "")
  );
}

/* eslint-disable */
// biome-ignore-all lint: generated

import type { Double } from "../types.js";
import type { Codec } from "./codec.js";

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

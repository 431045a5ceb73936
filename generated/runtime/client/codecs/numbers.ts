/* eslint-disable */
// biome-ignore-all lint: generated

import type { Double } from "../types.js";
import type { Codec } from "./codec.js";

/**
 * Codec of format `int64`: decimal text such as `"-9007199254740993"` as
 * bigint.
 *
 * @throws SyntaxError for text that is not a decimal integer.
 * @throws RangeError outside of -2^63 to 2^63 - 1.
 */
export const int64: Codec<string, bigint> = {
  decode: (wire) => signed(parseInteger(wire)),
  encode: (value) => signed(value).toString(),
};

/**
 * Codec of format `uint64`: decimal text such as `"18446744073709551615"` as
 * bigint.
 *
 * @throws SyntaxError for text that is not a decimal integer.
 * @throws RangeError outside of 0 to 2^64 - 1.
 */
export const uint64: Codec<string, bigint> = {
  decode: (wire) => unsigned(parseInteger(wire)),
  encode: (value) => unsigned(value).toString(),
};

/**
 * Codec of formats `double` and `float`: a number, or one of the texts `"NaN"`,
 * `"Infinity"` and `"-Infinity"`, as a number.
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

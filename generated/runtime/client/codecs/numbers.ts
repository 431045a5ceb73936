/* eslint-disable */
// biome-ignore-all lint: generated

import type { Double } from "../types.js";
import type { Codec } from "./codec.js";

/**
 * Format `int64`: decimal text such as `"-9007199254740993"`, as a bigint.
 *
 * @throws SyntaxError for text that is no decimal integer.
 * @throws RangeError outside of -2^63 to 2^63 - 1.
 */
export const int64: Codec<string, bigint> = {
  decode: (wire) => signed(parseInteger(wire)),
  encode: (value) => signed(value).toString(),
};

/**
 * Format `uint64`: decimal text such as `"18446744073709551615"`, as a bigint.
 *
 * @throws SyntaxError for text that is no decimal integer.
 * @throws RangeError outside of 0 to 2^64 - 1.
 */
export const uint64: Codec<string, bigint> = {
  decode: (wire) => unsigned(parseInteger(wire)),
  encode: (value) => unsigned(value).toString(),
};

/**
 * Formats `double` and `float`: a number, or one of the texts `"NaN"`,
 * `"Infinity"` and `"-Infinity"`, as a number.
 */
export const double: Codec<Double, number> = {
  decode: (wire) => Number(wire),
  encode: (value) =>
    Number.isFinite(value) ? value : (String(value) as Double),
};

function parseInteger(wire: string): bigint {
  // A server may send small values as numbers, against the format.
  const text = String(wire);
  if (!/^-?\d+$/.test(text)) throw new SyntaxError(`not an integer: ${text}`);
  return BigInt(text);
}

function signed(value: bigint): bigint {
  return inRange(value, BigInt.asIntN(64, value));
}

function unsigned(value: bigint): bigint {
  return inRange(value, BigInt.asUintN(64, value));
}

function inRange(value: bigint, wrapped: bigint): bigint {
  if (value !== wrapped) throw new RangeError(`not within 64 bits: ${value}`);
  return value;
}

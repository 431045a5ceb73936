/* eslint-disable */
// biome-ignore-all lint: generated

/** Returns true for a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns true for a boolean. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

const EQUALS_SIGN = 61;
const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * Returns true for a value of the format `byte`: base64 in the standard or
 * URL-safe alphabet, with or without padding.
 */
export function isBytes(value: unknown): value is string {
  if (typeof value !== "string" || !BASE64.test(value)) return false;
  const { length } = value;
  const isPadded = value.charCodeAt(length - 1) === EQUALS_SIGN;
  return isPadded ? length % 4 === 0 : length % 4 !== 1;
}

const FIELD_MASK = /^(?:[^,]+(?:,[^,]+)*)?$/;

/**
 * Returns true for a value of the format `google-fieldmask`: field paths
 * separated by commas, or an empty string.
 */
export function isFieldMask(value: unknown): value is string {
  return typeof value === "string" && FIELD_MASK.test(value);
}

/* eslint-disable */
// biome-ignore-all lint: generated

/** Tests whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Tests whether a value is a boolean. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

const EQUALS_SIGN = 61;
const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * Tests whether a value has the format `byte`: base64 in the standard or
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
 * Tests whether a value has the format `google-fieldmask`: field paths
 * separated by commas, or an empty string.
 */
export function isFieldMask(value: unknown): value is string {
  return typeof value === "string" && FIELD_MASK.test(value);
}

/* eslint-disable */
// biome-ignore-all lint: generated

import type { Key, Run } from "./contract.js";
import { isAbsent, report } from "./run.js";

/**
 * Error messages, keyed by type or format. `type` is the result of `typeof` for
 * valid values; it is empty for types that `typeof` does not distinguish.
 */
const EXPECTED = {
  object: { type: "", message: "must be an object" },
  array: { type: "", message: "must be an array" },
  null: { type: "", message: "must be null" },
  boolean: { type: "boolean", message: "must be a boolean" },
  number: { type: "number", message: "must be a finite number" },
  integer: { type: "number", message: "must be an integer" },
  int32: {
    type: "number",
    message: "must be an integer from -2147483648 to 2147483647",
  },
  uint32: {
    type: "number",
    message: "must be an integer from 0 to 4294967295",
  },
  double: {
    type: "number",
    message: 'must be a number, "NaN", "Infinity" or "-Infinity"',
  },
  string: { type: "string", message: "must be a string" },
  int64: {
    type: "string",
    message: "must be a 64-bit integer as a string of digits",
  },
  uint64: {
    type: "string",
    message: "must be an unsigned 64-bit integer as a string of digits",
  },
  byte: { type: "string", message: "must be base64" },
  date: { type: "string", message: "must be a date (YYYY-MM-DD)" },
  "date-time": { type: "string", message: "must be a timestamp (RFC 3339)" },
  "google-duration": {
    type: "string",
    message: 'must be a duration in seconds, such as "3.5s"',
  },
  "google-fieldmask": {
    type: "string",
    message: "must be a comma-separated list of field paths",
  },
};

/** Name of a type or format in `EXPECTED`. */
export type ExpectedType = keyof typeof EXPECTED;

/**
 * Reports an error for a value of the wrong type or format. Absent values are
 * not reported.
 */
export function fail(
  run: Run,
  key: Key,
  value: unknown,
  expected: ExpectedType,
): boolean {
  if (key !== undefined && isAbsent(run, value)) return false;
  if (run.int64Numbers?.(run, key, value, expected) === true) return false;
  const { type, message } = EXPECTED[expected];
  const code = typeof value === type ? "format" : "type";
  return report(run, key, code, message, expected);
}

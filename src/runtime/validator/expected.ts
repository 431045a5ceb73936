import type { Key, Run } from "./contract.js";
import { isAbsent, report } from "./run.js";

/** Types and formats: the JSON type of their values, and what is said of others. */
const EXPECTED = {
  object: { type: "", message: "must be an object" },
  array: { type: "", message: "must be an array" },
  null: { type: "", message: "must be null" },
  boolean: { type: "boolean", message: "must be a boolean" },
  number: { type: "number", message: "must be a finite number" },
  integer: { type: "number", message: "must be a whole number" },
  int32: {
    type: "number",
    message: "must be a whole number from -2147483648 to 2147483647",
  },
  uint32: {
    type: "number",
    message: "must be a whole number from 0 to 4294967295",
  },
  double: {
    type: "number",
    message: 'must be a number, "NaN", "Infinity" or "-Infinity"',
  },
  string: { type: "string", message: "must be a string" },
  int64: {
    type: "string",
    message: "must be the decimal digits of a 64-bit integer",
  },
  uint64: {
    type: "string",
    message: "must be the decimal digits of an unsigned 64-bit integer",
  },
  byte: { type: "string", message: "must be base64" },
  date: { type: "string", message: "must be a date (YYYY-MM-DD)" },
  "date-time": { type: "string", message: "must be a timestamp (RFC 3339)" },
  "google-duration": {
    type: "string",
    message: 'must be seconds, such as "3.5s"',
  },
  "google-fieldmask": {
    type: "string",
    message: "must be paths of fields, separated by commas",
  },
};

/** A type or format that a value can lack. */
export type Expected = keyof typeof EXPECTED;

/** Notes that a value is not what it has to be, unless it is absent. */
export function fail(
  run: Run,
  key: Key,
  value: unknown,
  expected: Expected,
): boolean {
  if (key !== undefined && isAbsent(run, value)) return false;
  if (run.int64Numbers?.(run, key, value, expected) === true) return false;
  const { type, message } = EXPECTED[expected];
  const code = typeof value === type ? "format" : "type";
  return report(run, key, code, message, expected);
}

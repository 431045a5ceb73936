import { isAbsent, report, type Key, type Run } from "./run.js";

/** Types and formats: the JSON type of their values, and what they are called. */
const EXPECTED = {
  object: ["object", "an object"],
  array: ["object", "an array"],
  null: ["object", "null"],
  boolean: ["boolean", "a boolean"],
  number: ["number", "a finite number"],
  integer: ["number", "a whole number"],
  int32: ["number", "a whole number from -2147483648 to 2147483647"],
  uint32: ["number", "a whole number from 0 to 4294967295"],
  double: ["number", 'a number, "NaN", "Infinity" or "-Infinity"'],
  string: ["string", "a string"],
  int64: ["string", "decimal digits of a 64-bit integer"],
  uint64: ["string", "decimal digits of an unsigned 64-bit integer"],
  byte: ["string", "base64"],
  date: ["string", "a date (YYYY-MM-DD)"],
  "date-time": ["string", "a timestamp (RFC 3339)"],
  "google-duration": ["string", 'seconds, such as "3.5s"'],
  "google-fieldmask": ["string", "paths of fields, separated by commas"],
} as const;

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
  const [type, words] = EXPECTED[expected];
  const isType = type !== "object" && typeof value === type;
  const code = isType ? "format" : "type";
  return report(run, key, code, `must be ${words}`, expected);
}

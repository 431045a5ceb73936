import type { ScalarType } from "../../model/ir.js";

/**
 * Test for a scalar type: the name of a runtime function, and the name of the
 * type for error messages.
 */
export interface ScalarTest {
  readonly test: string;
  readonly expected: string;
  /**
   * Result of `typeof` for valid values; present if a `typeof` test is
   * sufficient and no function call is needed.
   */
  readonly inline?: string;
}

const TEXTS: Readonly<Record<string, ScalarTest>> = {
  int64: { test: "isInt64", expected: "int64" },
  uint64: { test: "isUint64", expected: "uint64" },
  byte: { test: "isBytes", expected: "byte" },
  date: { test: "isDate", expected: "date" },
  "date-time": { test: "isTimestamp", expected: "date-time" },
  "google-datetime": { test: "isTimestamp", expected: "date-time" },
  "google-duration": { test: "isDuration", expected: "google-duration" },
  "google-fieldmask": { test: "isFieldMask", expected: "google-fieldmask" },
};

const INTEGERS: Readonly<Record<string, ScalarTest>> = {
  int32: { test: "isInt32", expected: "int32" },
  uint32: { test: "isUint32", expected: "uint32" },
};

const TYPES: Readonly<Record<Exclude<ScalarType, "null">, ScalarTest>> = {
  string: { test: "isString", expected: "string", inline: "string" },
  boolean: { test: "isBoolean", expected: "boolean", inline: "boolean" },
  integer: { test: "isInteger", expected: "integer" },
  number: { test: "isNumber", expected: "number" },
};

const DOUBLE: ScalarTest = { test: "isDouble", expected: "double" };

/** Returns the test for a type and format. Ignores unknown formats. */
export function scalarTest(
  type: Exclude<ScalarType, "null">,
  format: string | undefined,
): ScalarTest {
  if (type === "string") return lookUp(TEXTS, format) ?? TYPES.string;
  if (type === "integer") return lookUp(INTEGERS, format) ?? TYPES.integer;
  if (type === "number" && (format === "double" || format === "float"))
    return DOUBLE;
  return TYPES[type];
}

function lookUp(
  tests: Readonly<Record<string, ScalarTest>>,
  format: string | undefined,
): ScalarTest | undefined {
  return format !== undefined && Object.hasOwn(tests, format)
    ? tests[format]
    : undefined;
}

import { describe, expect, test } from "vitest";
import {
  isBoolean,
  isBytes,
  isDate,
  isDouble,
  isDuration,
  isFieldMask,
  isInt32,
  isInt64,
  isInteger,
  isNumber,
  isString,
  isTimestamp,
  isUint32,
  isUint64,
} from "../../../src/runtime/validator/scalars.js";

type Row = readonly [
  test: (value: unknown) => boolean,
  good: readonly unknown[],
  bad: readonly unknown[],
];

const rows: Readonly<Record<string, Row>> = {
  string: [isString, ["", "a"], [1, null, undefined, {}, new String("a")]],
  boolean: [isBoolean, [true, false], ["true", 0, 1, null]],
  number: [isNumber, [0, -1.5, 1e308], [NaN, Infinity, "1", null, 1n]],
  integer: [isInteger, [0, -1, 2 ** 53], [0.5, NaN, "1", null, 1n]],
  int32: [
    isInt32,
    [0, -0, 2147483647, -2147483648],
    [2147483648, -2147483649, 0.5, NaN, "1", null, true, [1], 1n],
  ],
  uint32: [
    isUint32,
    [0, 4294967295],
    [-1, 4294967296, 0.5, "1", null, [], Infinity],
  ],
  double: [
    isDouble,
    [0, 1.5, "NaN", "Infinity", "-Infinity"],
    ["", "1.5", "nan", NaN, null],
  ],
  int64: [
    isInt64,
    ["0", "-0", "007", "9223372036854775807", "-9223372036854775808"],
    [
      "9223372036854775808",
      "-9223372036854775809",
      "",
      "-",
      "+1",
      "1.0",
      "1e3",
      " 1",
      "--1",
      "٣",
      1,
      null,
      "9".repeat(100_000),
    ],
  ],
  uint64: [
    isUint64,
    ["0", "18446744073709551615", `${"0".repeat(50)}1`],
    ["18446744073709551616", "-1", "", "x", 1, null],
  ],
  byte: [
    isBytes,
    ["", "AA==", "AAA=", "AAAA", "AA", "AAA", "-_-_", "+/+/"],
    ["A", "A===", "AA=", "AAAAA", "AAA==", "A A=", "AA\n=", "é", 1, null, "="],
  ],
  date: [
    isDate,
    ["2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"],
    [
      "2023-02-29",
      "1900-02-29",
      "2024-04-31",
      "2024-13-01",
      "2024-00-10",
      "2024-01-00",
      "0000-01-01",
      "2024-1-1",
      "2024-01-01T00:00:00Z",
      "",
      20240101,
    ],
  ],
  timestamp: [
    isTimestamp,
    [
      "2024-02-29T23:59:59Z",
      "2024-02-29t00:00:00.123456789z",
      "2024-02-29T00:00:00+05:30",
      "1972-06-30T00:00:00.5-00:00",
    ],
    [
      "2024-02-30T00:00:00Z",
      "2024-02-29T24:00:00Z",
      "2024-02-29T00:60:00Z",
      "2024-02-29T00:00:60Z",
      "2024-02-29T00:00:00",
      "2024-02-29T00:00:00.1234567890Z",
      "2024-02-29 00:00:00Z",
      "2024-02-29T00:00:00+24:00",
      "2024-02-29T00:00:00Z\n",
      0,
    ],
  ],
  duration: [
    isDuration,
    ["0s", "3.5s", "-0.000000001s", "315576000000.999999999s"],
    ["", "s", "3", "3.s", ".5s", "+3s", "1.0000000001s", "315576000001s", 3],
  ],
  fieldMask: [
    isFieldMask,
    ["", "a", "a.b,c", "*"],
    [",", "a,", ",a", "a,,b", null, ["a"]],
  ],
};

describe.each(Object.entries(rows))("%s", (_, [isOne, good, bad]) => {
  test("accepts valid values", () => {
    expect(good.filter((value) => !isOne(value))).toEqual([]);
  });

  test("refuses invalid values", () => {
    expect(bad.filter((value) => isOne(value))).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import {
  list,
  map,
  scalarMap,
  scalars,
} from "../../../src/runtime/validator/containers.js";
import { fail } from "../../../src/runtime/validator/expected.js";
import {
  acceptInt64Numbers,
  convertInt64Numbers,
} from "../../../src/runtime/validator/int64.js";
import { maximum, minimum } from "../../../src/runtime/validator/limits.js";
import { isInt64, isUint64 } from "../../../src/runtime/validator/scalars.js";
import type { Check } from "../../../src/runtime/validator/contract.js";
import { validate } from "../../../src/runtime/validator/validate.js";

const long: Check = (value, run) =>
  !isInt64(value) && fail(run, undefined, value, "int64");
const unsigned: Check = (value, run) =>
  !isUint64(value) && fail(run, undefined, value, "uint64");

const RULES = { accept: acceptInt64Numbers, convert: convertInt64Numbers };

type Mode = keyof typeof RULES;

const judge = (check: Check, value: unknown, mode?: Mode): unknown => {
  const result = validate(check, value, mode && { int64Numbers: RULES[mode] });
  return result.valid ? result.value : result.errors[0]?.code;
};

describe("numbers instead of 64-bit integers", () => {
  test("are refused by default", () => {
    expect(judge(long, 1)).toBe("type");
    expect(judge(long, 1, "accept")).toBe(1);
    expect(judge(long, 1, "convert")).toBe("1");
    expect(judge(long, "1", "convert")).toBe("1");
  });

  test.each([
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [Number.MIN_SAFE_INTEGER, "-9007199254740991"],
    [-0, "0"],
    [2 ** 53, "type"],
    [0.5, "type"],
    [Number.NaN, "type"],
    [true, "type"],
    [null, "type"],
  ])("%s", (value, expected) => {
    expect(judge(long, value, "convert")).toBe(expected);
  });

  test("unsigned integers must not be negative", () => {
    expect(judge(unsigned, 1, "convert")).toBe("1");
    expect(judge(unsigned, -1, "convert")).toBe("type");
  });

  test("are converted in lists and maps of any depth", () => {
    const lists: Check = (value, run) =>
      list(run, undefined, value, (one, inner) =>
        scalars(inner, undefined, one, isInt64, "int64"),
      );
    expect(judge(lists, [[1], ["2", 3]], "convert")).toEqual([
      ["1"],
      ["2", "3"],
    ]);
    const maps: Check = (value, run) =>
      map(run, undefined, value, (one, inner) =>
        scalarMap(inner, undefined, one, isInt64, "int64"),
      );
    expect(judge(maps, { a: { b: 1 } }, "convert")).toEqual({ a: { b: "1" } });
    const own = JSON.parse('{"__proto__":{"b":1}}') as unknown;
    expect(JSON.stringify(judge(maps, own, "convert"))).toBe(
      '{"__proto__":{"b":"1"}}',
    );
    expect(({} as Record<string, unknown>)["b"]).toBeUndefined();
  });

  test("have the same limits as digits", () => {
    const limited: Check = (value, run) =>
      long(value, run) ||
      minimum(run, undefined, value, "5") ||
      maximum(run, undefined, value, "7");
    expect(judge(limited, 6, "accept")).toBe(6);
    expect(judge(limited, 4, "accept")).toBe("minimum");
    expect(judge(limited, 8, "convert")).toBe("maximum");
    expect(judge(limited, 4)).toBe("type");
  });

  test("a frozen value is an error, not a crash", () => {
    const all: Check = (value, run) =>
      scalars(run, undefined, value, isInt64, "int64");
    expect(judge(all, Object.freeze([1]), "convert")).toBe("unreadable");
  });
});

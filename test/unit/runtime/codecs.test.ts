import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytes,
  date,
  double,
  duration,
  fieldMask,
  instant,
  int64,
  milliseconds,
  timestamp,
  uint64,
  urlBytes,
  type Codec,
} from "../../../src/runtime/client/codecs.js";

/** Checks that values are equal after encoding and decoding. */
function survives<W, V>(codec: Codec<W, V>, values: fc.Arbitrary<V>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(codec.decode(codec.encode(value))).toEqual(value);
    }),
  );
}

describe("integers", () => {
  it("survive a round trip", () => {
    survives(int64, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    survives(uint64, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
  });

  it("are decimal text; numbers are accepted", () => {
    expect(int64.encode(-9007199254740993n)).toBe("-9007199254740993");
    expect(int64.decode("-0")).toBe(0n);
    expect(int64.decode(12 as never)).toBe(12n);
  });

  it.each(["", " 1", "1.0", "0x1", "1e3", "+1", "--1", "a"])(
    "not %j",
    (text) => {
      expect(() => int64.decode(text)).toThrow(SyntaxError);
      expect(() => uint64.decode(text)).toThrow(SyntaxError);
    },
  );

  it("stay within 64 bits", () => {
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n]) {
      expect(() => int64.encode(value)).toThrow(RangeError);
      expect(() => int64.decode(String(value))).toThrow(RangeError);
    }
    for (const value of [2n ** 64n, -1n]) {
      expect(() => uint64.encode(value)).toThrow(RangeError);
      expect(() => uint64.decode(String(value))).toThrow(RangeError);
    }
  });
});

describe("double", () => {
  it("survives a round trip", () => {
    const values = fc.double().map((value) => value + 0);
    survives(double, values);
  });

  it.each([
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [-Infinity, "-Infinity"],
    [1.5, 1.5],
  ] as const)("%s is %j", (value, wire) => {
    expect(double.encode(value)).toBe(wire);
    expect(double.decode(wire)).toBe(value);
  });
});

describe("bytes", () => {
  const values = fc
    .uint8Array({ maxLength: 300 })
    .map((array) => new Uint8Array(array));

  it("survive in both alphabets, which decode each other", () => {
    survives(bytes, values);
    survives(urlBytes, values);
    fc.assert(
      fc.property(values, (value) => {
        expect(bytes.encode(value)).toBe(Buffer.from(value).toString("base64"));
        expect(urlBytes.encode(value)).toBe(
          Buffer.from(value).toString("base64url"),
        );
        expect(bytes.decode(urlBytes.encode(value))).toEqual(value);
        expect(urlBytes.decode(bytes.encode(value))).toEqual(value);
      }),
    );
  });

  it("may be longer than the argument limit", () => {
    const value = new Uint8Array(300_000).map((_, index) => index);
    const copy = bytes.decode(bytes.encode(value));
    expect(Buffer.compare(copy, value)).toBe(0);
  });

  it.each(["a", "ab=c", "a b=", "é", "====", "abcd\n", "ab===", "a-+/_"])(
    "not %j",
    (text) => {
      expect(() => bytes.decode(text)).toThrow(SyntaxError);
    },
  );
});

describe("timestamps", () => {
  const instants = fc.record({
    epochSeconds: fc.integer({ min: -62135596800, max: 253402300799 }),
    nanos: fc.integer({ min: 0, max: 999_999_999 }),
  });
  const dates = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });

  it("survive a round trip", () => {
    survives(instant, instants);
    survives(timestamp, dates);
  });

  it.each([
    ["1970-01-01T00:00:00Z", 0, 0],
    ["1970-01-01T00:00:01.5Z", 1, 500_000_000],
    ["1969-12-31T23:59:59.999999999Z", -1, 999_999_999],
    ["2024-02-29T12:30:00.000001+05:30", 1709190000, 1000],
    ["2024-02-29t01:00:00-08:00", 1709197200, 0],
    ["0001-01-01T00:00:00Z", -62135596800, 0],
    ["9999-12-31T23:59:59Z", 253402300799, 0],
  ])("%s", (text, epochSeconds, nanos) => {
    expect(instant.decode(text)).toEqual({ epochSeconds, nanos });
  });

  it.each([
    [0, "1970-01-01T00:00:00Z"],
    [500_000_000, "1970-01-01T00:00:00.500Z"],
    [120_000, "1970-01-01T00:00:00.000120Z"],
    [1, "1970-01-01T00:00:00.000000001Z"],
    [100, "1970-01-01T00:00:00.000000100Z"],
  ])("%d nanoseconds are %s", (nanos, text) => {
    expect(instant.encode({ epochSeconds: 0, nanos })).toBe(text);
  });

  it("are rounded down to milliseconds", () => {
    const text = "1969-12-31T23:59:59.9999Z";
    expect(timestamp.decode(text)).toEqual(new Date(-1));
  });

  it.each([
    "",
    "2024-02-29",
    "2024-02-29T12:30Z",
    "2024-02-29T12:30:00",
    "2023-02-29T12:30:00Z",
    "2024-04-31T12:30:00Z",
    "2024-13-01T12:30:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T23:59:60Z",
    "2024-01-01T12:60:00Z",
    "2024-01-01T12:30:00.Z",
    "2024-01-01T12:30:00.0123456789Z",
    "2024-01-01T12:30:00+24:00",
    "2024-01-01 12:30:00Z",
    "+02024-01-01T12:30:00Z",
  ])("not %j", (text) => {
    expect(() => instant.decode(text)).toThrow(SyntaxError);
    expect(() => timestamp.decode(text)).toThrow(SyntaxError);
  });

  it("stay within the years 1 to 9999", () => {
    for (const text of ["0000-12-31T00:00:00Z", "9999-12-31T23:59:59-01:00"])
      expect(() => instant.decode(text)).toThrow(RangeError);
    for (const time of [NaN, 253402300800000, -62135596800001])
      expect(() => timestamp.encode(new Date(time))).toThrow(RangeError);
    for (const nanos of [-1, 1e9, 0.5])
      expect(() => instant.encode({ epochSeconds: 0, nanos })).toThrow(
        RangeError,
      );
    expect(() => instant.encode({ epochSeconds: 0.5, nanos: 0 })).toThrow(
      RangeError,
    );
  });
});

describe("date", () => {
  it("survives a round trip", () => {
    const days = fc
      .date({
        min: new Date("0001-01-01T00:00:00Z"),
        max: new Date("9999-12-31T00:00:00Z"),
        noInvalidDate: true,
      })
      .map((at) => ({
        year: at.getUTCFullYear(),
        month: at.getUTCMonth() + 1,
        day: at.getUTCDate(),
      }));
    survives(date, days);
  });

  it("is padded", () => {
    expect(date.encode({ year: 33, month: 4, day: 5 })).toBe("0033-04-05");
  });

  it.each([
    "2023-02-29",
    "2024-1-1",
    "0000-01-01",
    "2024-00-10",
    "x",
    "2024-01-01T",
  ])("not %j", (text) => {
    expect(() => date.decode(text)).toThrow(SyntaxError);
  });

  it.each([
    [2023, 2, 29],
    [0, 1, 1],
    [10000, 1, 1],
    [2024, 1, 1.5],
    [2024, -1, 1],
  ])("not %d-%d-%d", (year, month, day) => {
    expect(() => date.encode({ year, month, day })).toThrow(RangeError);
  });
});

describe("durations", () => {
  const values = fc
    .tuple(
      fc.integer({ min: 0, max: 315_576_000_000 }),
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.constantFrom(1, -1),
    )
    .map(([seconds, nanos, sign]) => ({
      seconds: seconds * sign + 0,
      nanos: nanos * sign + 0,
    }));

  it("survive a round trip", () => {
    survives(duration, values);
    survives(milliseconds, fc.integer({ min: -1e14, max: 1e14 }));
  });

  it.each([
    ["3.5s", 3, 500_000_000, 3500],
    ["-1.5s", -1, -500_000_000, -1500],
    ["-0.001s", 0, -1_000_000, -1],
    ["0s", 0, 0, 0],
  ])("%s", (wire, seconds, nanos, ms) => {
    expect(duration.decode(wire)).toEqual({ seconds, nanos });
    expect(milliseconds.decode(wire)).toBe(ms);
  });

  it("is written with 0, 3, 6 or 9 digits", () => {
    expect(duration.encode({ seconds: 0, nanos: -1 })).toBe("-0.000000001s");
    expect(duration.encode({ seconds: 1, nanos: 1000 })).toBe("1.000001s");
    expect(milliseconds.encode(3500)).toBe("3.500s");
    expect(milliseconds.encode(0.000001)).toBe("0.000000001s");
    expect(milliseconds.encode(999.9999999)).toBe("1s");
    expect(milliseconds.encode(-60000)).toBe("-60s");
  });

  it("reads -0 as 0", () => {
    expect(duration.decode("-0s")).toEqual({ seconds: 0, nanos: 0 });
  });

  it.each([
    "",
    "3",
    "3.s",
    ".5s",
    "3.5",
    "3,5s",
    "1.0123456789s",
    "+1s",
    "PT3S",
  ])("not %j", (text) => {
    expect(() => duration.decode(text)).toThrow(SyntaxError);
  });

  it("stay in range", () => {
    expect(() => duration.decode("315576000001s")).toThrow(RangeError);
    for (const [seconds, nanos] of [
      [315576000001, 0],
      [1, -1],
      [0.5, 0],
      [0, 1e9],
      [NaN, 0],
    ] as const)
      expect(() => duration.encode({ seconds, nanos })).toThrow(RangeError);
    expect(() => milliseconds.encode(Infinity)).toThrow(RangeError);
  });
});

describe("fieldMask", () => {
  it("survives a round trip", () => {
    survives(fieldMask, fc.array(fc.stringMatching(/^[a-z][a-zA-Z.]*$/)));
    expect(fieldMask.encode(["a", "b.c"])).toBe("a,b.c");
    expect(fieldMask.decode("")).toEqual([]);
  });

  it.each([[[""]], [["a,b"]]])("not %j", (paths) => {
    expect(() => fieldMask.encode(paths)).toThrow(RangeError);
  });
});

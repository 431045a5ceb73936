import { compilePattern } from "../server/routing/pattern.js";
import { patternText } from "./pattern-text.js";
import type { TypeRules } from "./plan.js";
import { pick } from "./random.js";

/** Constraints of a scalar schema. */
export type Limits = Pick<TypeRules, "minimum" | "maximum" | "pattern">;

/** Strings with characters that are often encoded incorrectly. */
const TEXTS: readonly string[] = [
  "text",
  "two words",
  "naïve \u{1f600} 漢字",
  "a=1&b=2;c?d#e",
  "100% of %41 and %2F",
  "slash/back\\slash",
  "+plus-minus_dot.tilde~",
  "\"quotes' <tags> `ticks`",
  "[list],{map}|(more)!*$@:^",
  " blank ",
  "two\nlines\tand a tab",
];

/** Test values, keyed by type with format (`string:int64`) or by type alone. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "string:int64": ["0", "-5", "9223372036854775807", "-9223372036854775808"],
  "string:uint64": ["0", "42", "18446744073709551615"],
  "string:byte": ["", "AAAA", "AA==", "-_8", "+/8="],
  "string:date": ["2024-02-29", "1999-12-31"],
  "string:date-time": ["2024-02-29T12:00:00Z", "2024-01-01T00:00:00.5+01:00"],
  "string:google-datetime": ["2024-02-29T12:00:00.123456789Z"],
  "string:google-duration": ["3s", "-1.5s"],
  "string:google-fieldmask": ["a", "a.b,c"],
  "integer:int32": [0, -1, 2147483647, -2147483648],
  "integer:uint32": [0, 7, 4294967295],
  "number:double": [0, -0.5, 1e21, 1.5e-7, "NaN", "-Infinity"],
  "number:float": [0, 0.25, -3],
  boolean: [true, false],
  integer: [0, 7, -42, 9007199254740991],
  number: [0, 0.1, -2.5, 1e21],
  null: [null],
  any: ["text", 7, true, ["a", 1], { key: "value", list: [{}] }],
};

/**
 * Returns a value for a type such as `string:int64`. An unknown format is
 * ignored.
 */
export function scalarOf(
  type: string,
  limits: Limits,
  random: () => number,
): unknown {
  const base = type.split(":", 1)[0]!;
  const { pattern } = limits;
  if (pattern !== undefined) {
    // A value must have both the pattern and the format of its type.
    const matches = compilePattern(pattern);
    const formatted = (VALUES[type] ?? []).filter(
      (value) => typeof value === "string" && matches?.(value) === true,
    );
    if (formatted.length > 0) return pick(formatted, random);
    const text = patternText(pattern, random);
    if (text !== undefined) return text;
  }
  const values = VALUES[type] ?? VALUES[base] ?? TEXTS;
  const fitting = values.filter((value) => fits(value, limits));
  if (fitting.length > 0) return pick(fitting, random);
  const bound = limits.minimum ?? limits.maximum ?? "0";
  return base === "string" ? bound : Number(bound);
}

/**
 * Returns a string that is valid for all string schemas without constraints.
 */
export function textOf(random: () => number): string {
  return pick(TEXTS, random);
}

function fits(value: unknown, { minimum, maximum }: Limits): boolean {
  if (minimum === undefined && maximum === undefined) return true;
  const number = Number(value);
  if (minimum !== undefined && !(number >= Number(minimum))) return false;
  return maximum === undefined || number <= Number(maximum);
}

import type { RawSchema } from "../../load/raw.js";
import { child } from "../../model/build/context.js";
import { compilePattern } from "../../runtime/server/routing/pattern.js";
import { quoted, type Rule } from "../rule.js";

const INTEGER = /^-?\d{1,400}$/;
const DECIMAL = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/;
const NUMERIC_FORMATS = new Set(["int64", "uint64", "int32", "uint32"]);

/** Rules about limits, default values and formats. */
export const valueRules: readonly Rule[] = [
  {
    id: "limit-contradiction",
    severity: "warning",
    cause: "minimum is greater than maximum, so no value is valid.",
    fix: "Correct the limits.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas) {
        const { minimum, maximum } = raw;
        if (isBelow(maximum, minimum))
          report(
            `${label}: minimum ${quoted(minimum)} is greater than maximum ${quoted(maximum)}`,
            child(at, "minimum"),
          );
      }
    },
  },
  {
    id: "limit-misplaced",
    severity: "info",
    cause:
      "minimum and maximum apply only to numbers, and pattern only to strings; the keyword has no effect on this type.",
    fix: "Remove the keyword, or correct the type.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas) {
        if (raw.type === undefined || raw.type === "any") continue;
        for (const key of ["minimum", "maximum"] as const)
          if (raw[key] !== undefined && !isNumeric(raw))
            report(
              `${label}: ${key} has no effect on type ${raw.type}`,
              child(at, key),
            );
        if (raw.pattern !== undefined && raw.type !== "string")
          report(
            `${label}: pattern has no effect on type ${raw.type}`,
            child(at, "pattern"),
          );
      }
    },
  },
  {
    id: "default-invalid",
    severity: "warning",
    cause:
      "The default does not match the type, pattern or limits of the value.",
    fix: "Correct the default or the limit.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas) {
        const reason = defaultProblem(raw);
        if (reason !== undefined)
          report(
            `${label}: default ${quoted(raw.default)} ${reason}`,
            child(at, "default"),
          );
      }
    },
  },
  {
    id: "enum-ignored",
    severity: "info",
    cause:
      "The format defines enum only for strings; clients ignore it for other types.",
    fix: "Use type string, or list the values in the description.",
    check({ schemas }, report) {
      for (const { label, raw, at } of schemas)
        if (
          raw.enum !== undefined &&
          raw.type !== undefined &&
          raw.type !== "string"
        )
          report(
            `${label}: enum has no effect on type ${raw.type}`,
            child(at, "enum"),
          );
    },
  },
  {
    id: "integer-inexact",
    severity: "warning",
    cause:
      "A 64-bit integer is sent as a JSON number, and JavaScript rounds such numbers above 2^53.",
    fix: "Use type string with the format int64 or uint64.",
    check({ schemas }, report) {
      for (const { label, kind, raw, at } of schemas)
        if (
          kind !== "parameter" &&
          raw.type === "integer" &&
          (raw.format === "int64" || raw.format === "uint64")
        )
          report(
            `${label} has type integer with format ${raw.format}`,
            child(at, "format"),
          );
    },
  },
];

/**
 * Returns the reason why a default value is invalid; undefined if it is valid.
 */
function defaultProblem(raw: RawSchema): string | undefined {
  if (raw.default === undefined || raw.default === null) return undefined;
  // A default value that is not in the enum is already reported with the code
  // `enum-invalid`.
  if (raw.enum !== undefined || raw.repeated === true) return undefined;
  const text = String(raw.default);
  if (raw.type === "boolean")
    return /^(?:true|false)$/.test(text) ? undefined : "is not a boolean";
  if (isNumeric(raw)) return numberProblem(raw, text);
  return raw.type === "string" && !matches(raw.pattern, text)
    ? "does not match the pattern"
    : undefined;
}

function numberProblem(raw: RawSchema, text: string): string | undefined {
  if (raw.type !== "number" && !INTEGER.test(text)) return "is not an integer";
  if (raw.type === "number" && !DECIMAL.test(text)) return "is not a number";
  if (isBelow(text, raw.minimum))
    return `is less than the minimum ${quoted(raw.minimum)}`;
  return isBelow(raw.maximum, text)
    ? `is greater than the maximum ${quoted(raw.maximum)}`
    : undefined;
}

function isNumeric({ type, format }: RawSchema): boolean {
  if (type === "integer" || type === "number") return true;
  return type === "string" && NUMERIC_FORMATS.has(format ?? "");
}

/**
 * Tests whether a limit is below another one; false if one of them is missing
 * or is not a number.
 */
function isBelow(
  a: string | number | undefined,
  b: string | number | undefined,
): boolean {
  if (a === undefined || b === undefined) return false;
  const [left, right] = [String(a), String(b)];
  if (INTEGER.test(left) && INTEGER.test(right))
    return BigInt(left) < BigInt(right);
  return DECIMAL.test(left) && DECIMAL.test(right)
    ? Number(left) < Number(right)
    : false;
}

/**
 * Tests whether a string matches a pattern. Returns true if the pattern is
 * absent or can't be checked.
 */
function matches(pattern: string | undefined, text: string): boolean {
  const test = pattern === undefined ? undefined : compilePattern(pattern);
  return test === undefined || test(text);
}

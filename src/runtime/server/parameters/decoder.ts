import type { ParameterDefinition, ParameterRules } from "../contract.js";
import type { Problem } from "../error.js";
import {
  isBytes,
  isDate,
  isDuration,
  isFieldMask,
  isTimestamp,
} from "../../validator/scalars.js";
import { compilePattern } from "../routing/pattern.js";

/**
 * Compiled definition of a parameter, with a function that decodes its values.
 */
export interface Decoder {
  readonly name: string;
  readonly rules: ParameterRules;
  /**
   * Decodes a string. Returns an {@link InvalidValue} if the string is invalid.
   */
  readonly decode: (text: string) => unknown;
  /** Decoded default value. */
  readonly fallback: unknown;
}

/**
 * Result of decoding an invalid value. In messages, the reason follows the name
 * of the parameter.
 */
export class InvalidValue {
  readonly reason: string;
  /** True if the value is invalid only because the enum does not list it. */
  readonly isEnum: boolean;

  constructor(why: string, isEnum: boolean = false) {
    this.reason = why;
    this.isEnum = isEnum;
  }
}

type Decode = (text: string) => unknown;

/**
 * Compiles the definition of a parameter. Constraints that can't be checked,
 * such as unsupported patterns, are ignored.
 */
export function compileParameter(
  name: string,
  spec: ParameterDefinition,
): Decoder {
  const rules = typeof spec === "string" ? { type: spec } : spec;
  const decode = withRules(decodeType(rules.type), rules);
  return { name, rules, decode, fallback: fallbackOf(rules, decode) };
}

function fallbackOf(rules: ParameterRules, decode: Decode): unknown {
  if (rules.default === undefined) return undefined;
  const value = decode(rules.default);
  if (value instanceof InvalidValue) return undefined;
  return rules.repeated === true ? [value] : value;
}

type Range = readonly [min: bigint, max: bigint];

/**
 * Smallest and largest value of each integer format. TypeScript rejects BigInt
 * literals for targets before ES2020, such as that of new Next.js projects.
 */
const RANGES: Readonly<Record<string, Range>> = {
  int32: [BigInt("-2147483648"), BigInt("2147483647")],
  uint32: [BigInt("0"), BigInt("4294967295")],
  int64: [BigInt("-9223372036854775808"), BigInt("9223372036854775807")],
  uint64: [BigInt("0"), BigInt("18446744073709551615")],
};

/**
 * Range of the integers that a JavaScript number represents exactly. Larger
 * integers would be rounded, which could change an ID.
 */
const SAFE: Range = [
  BigInt(Number.MIN_SAFE_INTEGER),
  BigInt(Number.MAX_SAFE_INTEGER),
];

const INTEGER = /^[+-]?\d{1,40}$/;

function decodeType(type: string): Decode {
  switch (type) {
    case "boolean":
      return decodeBoolean;
    case "number":
      return decodeNumber;
    case "integer":
      return integerDecoder(SAFE);
    case "int32":
    case "uint32":
      return integerDecoder(RANGES[type]!);
    case "int64":
    case "uint64":
      return (text) =>
        isInteger(text, RANGES[type]!) ? text : notInteger(RANGES[type]!);
    case "byte":
      return textDecoder(isBytes, "must be base64");
    case "date":
      return textDecoder(isDate, "must be a date (YYYY-MM-DD)");
    case "date-time":
    case "google-datetime":
      return textDecoder(isTimestamp, "must be a timestamp (RFC 3339)");
    case "google-duration":
      return textDecoder(
        isDuration,
        'must be a duration in seconds, such as "3.5s"',
      );
    case "google-fieldmask":
      return textDecoder(
        isFieldMask,
        "must be a comma-separated list of field paths",
      );
    default:
      return (text) => text;
  }
}

/** Returns a decoder for strings of a format. */
function textDecoder(test: (text: string) => boolean, reason: string): Decode {
  const fault = new InvalidValue(reason);
  return (text) => (test(text) ? text : fault);
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

function decodeBoolean(text: string): unknown {
  return (
    BOOLEANS.get(text) ??
    BOOLEANS.get(text.toLowerCase()) ??
    new InvalidValue("must be true or false")
  );
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function decodeNumber(text: string): unknown {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value)
      ? value
      : new InvalidValue("must be a finite number");
  }
  if (/^(?:NaN|-?Infinity)$/.test(text)) return Number(text);
  return new InvalidValue("must be a number");
}

/** Returns a decoder for integers within a range. */
function integerDecoder([min, max]: Range): Decode {
  const fault = notInteger([min, max]);
  const low = Number(min);
  const high = Number(max);
  return (text) => {
    if (!INTEGER.test(text)) return fault;
    const value = Number(text);
    return value >= low && value <= high ? value : fault;
  };
}

function notInteger([min, max]: Range): InvalidValue {
  return new InvalidValue(`must be an integer from ${min} to ${max}`);
}

function isInteger(text: string, [min, max]: Range): boolean {
  if (!INTEGER.test(text)) return false;
  const value = BigInt(text.replace("+", ""));
  return value >= min && value <= max;
}

/**
 * Adds checks of a parameter's constraints to the decoder for the parameter's
 * type.
 */
function withRules(decode: Decode, rules: ParameterRules): Decode {
  return [enumCheck(rules), limitCheck(rules), patternCheck(rules)]
    .filter((check) => check !== undefined)
    .reduce<Decode>(withCheck, decode);
}

function withCheck(decode: Decode, check: TextCheck): Decode {
  return (text) => {
    const value = decode(text);
    return value instanceof InvalidValue ? value : (check(text) ?? value);
  };
}

type TextCheck = (text: string) => InvalidValue | undefined;

function enumCheck({
  enum: values,
  open,
}: ParameterRules): TextCheck | undefined {
  if (values === undefined || open === true) return undefined;
  const known = new Set(values);
  const names = values.slice(0, 20).join(", ");
  const more = values.length > 20 ? ", …" : "";
  const fault = new InvalidValue(`must be one of ${names}${more}`, true);
  return (text) => (known.has(text) ? undefined : fault);
}

function limitCheck({
  minimum,
  maximum,
}: ParameterRules): TextCheck | undefined {
  if (minimum === undefined && maximum === undefined) return undefined;
  const low = minimum === undefined ? -Infinity : Number(minimum);
  const high = maximum === undefined ? Infinity : Number(maximum);
  return (text) => {
    const value = Number(text);
    if (value < low) return new InvalidValue(`must be at least ${minimum}`);
    return value > high
      ? new InvalidValue(`must be at most ${maximum}`)
      : undefined;
  };
}

function patternCheck({ pattern }: ParameterRules): TextCheck | undefined {
  const test = pattern === undefined ? undefined : compilePattern(pattern);
  if (test === undefined) return undefined;
  const fault = new InvalidValue(`must match ${pattern}`);
  return (text) => (test(text) ? undefined : fault);
}

/** Returns the error for an invalid parameter. */
export function problemOf(
  { name, rules }: Decoder,
  why: string,
  reason: string = "invalidParameter",
): Problem {
  const locationType = rules.in === "header" ? "header" : "parameter";
  const message = `Invalid value for ${locationType} ${name}: it ${why}.`;
  return { message, reason, location: name, locationType };
}

import type { EnumValue, Constraints, ScalarType } from "../model/ir.js";
import { patternText } from "../runtime/conformance/pattern-text.js";
import { judgePattern } from "../targets/validator/patterns.js";
import type { Random } from "./random.js";
import { usableState } from "./states.js";
import { identifierOf, instant, textFor } from "./texts.js";

/** Generates a scalar value that the format and the constraints allow. */
export function scalarOf(
  type: ScalarType,
  format: string | undefined,
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): unknown {
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return booleanOf(constraints, name, random);
    case "integer":
    case "number":
      return numberOf(type, format, constraints, name, random);
    case "string":
      return stringOf(format, constraints, name, random);
  }
}

/**
 * Pattern that matches the names of boolean fields that are false for most
 * resources.
 */
const RARE =
  /trashed|delet|disabl|hidden|cancel|incomplete|error|fail|deprecat|archiv|suspend|blocked|private/i;

function booleanOf(
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): boolean {
  const declared = constraints.find(
    (constraint) => constraint.default !== undefined,
  )?.default;
  if (declared === "true" || declared === "false") return declared === "true";
  if (/(complete|done|finished)$/i.test(name)) return !/^in/i.test(name);
  return RARE.test(name) ? false : random.below(2) === 1;
}

function numberOf(
  type: "integer" | "number",
  format: string | undefined,
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): number {
  const [low, high] = boundsOf(constraints, 0, name, format);
  const declared = Number(
    constraints.find((constraint) => constraint.default)?.default ?? NaN,
  );
  const isInteger = type === "integer";
  if (
    declared >= low &&
    declared <= high &&
    (!isInteger || Number.isInteger(declared))
  )
    return declared;
  const first = isInteger ? Math.ceil(low) : low;
  const span = Math.min(high - first, 1000);
  if (!(span > 0)) return first;
  const step = isInteger ? 1 : span < 4 ? span / 4 : 0.25;
  return first + step * random.below(Math.floor(span / step) + 1);
}

/**
 * Returns the range of a number: the declared limits, or typical limits for a
 * field of this name.
 */
function boundsOf(
  constraints: readonly Constraints[],
  typical: number,
  name: string,
  format: string | undefined,
): [low: number, high: number] {
  const lows = constraints.flatMap(({ minimum }) => finite(minimum));
  const highs = constraints.flatMap(({ maximum }) => finite(maximum));
  const [most, least] =
    format === "uint32" ? [2 ** 32 - 1, 0] : [2 ** 31 - 1, -(2 ** 31)];
  const isBound = format === "int32" || format === "uint32";
  const start = /^lat/i.test(name) ? 0 : typical;
  const low = lows.length > 0 ? Math.max(...lows) : undefined;
  const high = highs.length > 0 ? Math.min(...highs) : undefined;
  const from = low ?? Math.min(start, high ?? start);
  const limit = /latitude/i.test(name) ? 90 : /year$/i.test(name) ? 2024 : 1000;
  const to = high ?? Math.max(from, limit);
  const capped = isBound
    ? [Math.max(from, least), Math.min(to, most)]
    : [from, to];
  return [capped[0]!, capped[1]!];
}

function finite(text: string | undefined): number[] {
  const value = Number(text ?? NaN);
  return text?.trim() !== "" && Number.isFinite(value) ? [value] : [];
}

/** Functions that generate a string, keyed by format. */
const FORMATS: Readonly<
  Record<string, (random: Random, name: string) => string>
> = {
  byte: (random, name) => Buffer.from(textFor(name, random)).toString("base64"),
  date: (random, name) => timeFor(name, random).slice(0, 10),
  "date-time": (random, name) => timeFor(name, random),
  "google-datetime": (random, name) => timeFor(name, random),
  "google-duration": (random) => `${1 + random.below(3600)}s`,
  "google-fieldmask": () => "name",
};

function stringOf(
  format: string | undefined,
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  if (format === "int64" || format === "uint64")
    return int64Of(format, constraints, name, random);
  const sources = constraints.flatMap(({ pattern }) => pattern ?? []);
  const make = FORMATS[format ?? ""];
  const text =
    Object.hasOwn(FORMATS, format ?? "") && make !== undefined
      ? make(random, name)
      : plainOf(constraints, name, random);
  for (const source of sources) {
    const isEnforced = judgePattern(source) === "enforced";
    if (isEnforced && new RegExp(source).test(text)) continue;
    return patternText(source, () => random.fraction()) ?? text;
  }
  return text;
}

function plainOf(
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  const declared = constraints.find(
    (constraint) => constraint.default !== undefined,
  )?.default;
  return declared ?? textFor(name, random);
}

/**
 * Returns a timestamp. Creation times are one year earlier than other times.
 */
export function timeFor(name: string, random: Random): string {
  return instant(
    random,
    /creat|insert|start|publish/i.test(name) ? 2023 : 2024,
  );
}

function int64Of(
  format: string,
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  const low = constraints.flatMap(({ minimum }) => parseInt64(minimum))[0];
  const high = constraints.flatMap(({ maximum }) => parseInt64(maximum))[0];
  const declared = constraints.flatMap((constraint) =>
    parseInt64(constraint.default),
  )[0];
  const fits = (value: bigint): boolean =>
    (low === undefined || value >= low) &&
    (high === undefined || value <= high) &&
    (format === "int64" || value >= 0n);
  if (declared !== undefined && fits(declared)) return String(declared);
  const typical = BigInt(typicalInt64(name, random));
  if (fits(typical)) return String(typical);
  if (low !== undefined) return String(low);
  return String(high ?? 0n);
}

function typicalInt64(name: string, random: Random): string {
  if (/id$/i.test(name)) return identifierOf(random, true);
  if (/(time|date|timestamp|ms|millis)$/i.test(name))
    return String(Date.parse(timeFor(name, random)));
  return String(random.below(1_000_000));
}

function parseInt64(text: string | undefined): bigint[] {
  return /^-?\d{1,20}$/.test(text ?? "") ? [BigInt(text!)] : [];
}

/** Pattern that matches enum values that mean "unknown" or "unspecified". */
const UNINFORMATIVE = /unspecified|unknown|undefined|invalid|^$/i;

/**
 * Pattern that matches enum values for a usable resource, such as `active`.
 * These values are preferred.
 */
const USABLE = /^(active|ready|running|enabled|done|succeeded|published|ok)$/i;

/**
 * Returns a value of an enum: the default value if there is one; otherwise a
 * value for a usable resource, if any; otherwise a value that does not mean
 * "unspecified".
 */
export function enumOf(
  values: readonly EnumValue[],
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  const names = values.map(({ value }) => value);
  const declared = constraints.find(
    (constraint) => constraint.default !== undefined,
  )?.default;
  if (declared !== undefined && names.includes(declared)) return declared;
  const usable = names.find((name) => USABLE.test(name));
  if (usable !== undefined) return usable;
  const informative = values
    .filter(
      ({ value, deprecated }) =>
        deprecated !== true && !UNINFORMATIVE.test(value),
    )
    .map(({ value }) => value);
  return informative.length > 0
    ? listedOf(informative, name, random)
    : (names[0] ?? "");
}

/**
 * Returns one of the values that a field can have: for a state, the one of a
 * usable resource.
 */
export function listedOf(
  values: readonly string[],
  name: string,
  random: Random,
): string {
  const state = STATE.test(name) ? usableState(values) : undefined;
  return (
    state ?? values.find((value) => USABLE.test(value)) ?? random.pick(values)
  );
}

/** Names of fields with the state of a resource or of its work. */
const STATE = /(state|status)$/i;

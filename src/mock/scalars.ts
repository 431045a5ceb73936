import type { EnumValue, Constraints, ScalarType } from "../model/ir.js";
import { patternText } from "../runtime/conformance/pattern-text.js";
import { judgePattern } from "../targets/validator/patterns.js";
import type { Random } from "./random.js";
import { identifierOf, instant, textFor } from "./texts.js";

/** A value of a scalar type that its format and the constraints allow. */
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

/** Flags that hold of few things. */
const RARE =
  /trashed|delet|disabl|hidden|cancel|incomplete|error|fail|deprecat|archiv|suspend|blocked|private/i;

function booleanOf(
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): boolean {
  const given = constraints.find((note) => note.default !== undefined)?.default;
  if (given === "true" || given === "false") return given === "true";
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
  const given = Number(
    constraints.find((note) => note.default)?.default ?? NaN,
  );
  const isWhole = type === "integer";
  if (given >= low && given <= high && (!isWhole || Number.isInteger(given)))
    return given;
  const first = isWhole ? Math.ceil(low) : low;
  const room = Math.min(high - first, 1000);
  if (!(room > 0)) return first;
  const step = isWhole ? 1 : room < 4 ? room / 4 : 0.25;
  return first + step * random.below(Math.floor(room / step) + 1);
}

/** The range of a number's values: what the constraints allow, near the usual. */
function boundsOf(
  constraints: readonly Constraints[],
  usual: number,
  name: string,
  format: string | undefined,
): [low: number, high: number] {
  const lows = constraints.flatMap(({ minimum }) => finite(minimum));
  const highs = constraints.flatMap(({ maximum }) => finite(maximum));
  const [most, least] =
    format === "uint32" ? [2 ** 32 - 1, 0] : [2 ** 31 - 1, -(2 ** 31)];
  const isBound = format === "int32" || format === "uint32";
  const start = /^lat/i.test(name) ? 0 : usual;
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

/** Texts by format. */
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
    return longOf(format, constraints, name, random);
  const sources = constraints.flatMap(({ pattern }) => pattern ?? []);
  const write = FORMATS[format ?? ""];
  const usual =
    Object.hasOwn(FORMATS, format ?? "") && write !== undefined
      ? write(random, name)
      : plainOf(constraints, name, random);
  for (const source of sources) {
    const isEnforced = judgePattern(source) === "enforced";
    if (isEnforced && new RegExp(source).test(usual)) continue;
    return patternText(source, () => random.fraction()) ?? usual;
  }
  return usual;
}

function plainOf(
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  const given = constraints.find((note) => note.default !== undefined)?.default;
  return given ?? textFor(name, random);
}

/** What was made is older than what was changed. */
function timeFor(name: string, random: Random): string {
  return instant(
    random,
    /creat|insert|start|publish/i.test(name) ? 2023 : 2024,
  );
}

function longOf(
  format: string,
  constraints: readonly Constraints[],
  name: string,
  random: Random,
): string {
  const low = constraints.flatMap(({ minimum }) => long(minimum))[0];
  const high = constraints.flatMap(({ maximum }) => long(maximum))[0];
  const given = constraints.flatMap((note) => long(note.default))[0];
  const fits = (value: bigint): boolean =>
    (low === undefined || value >= low) &&
    (high === undefined || value <= high) &&
    (format === "int64" || value >= 0n);
  if (given !== undefined && fits(given)) return String(given);
  const usual = BigInt(usualLong(name, random));
  if (fits(usual)) return String(usual);
  if (low !== undefined) return String(low);
  return String(high ?? 0n);
}

function usualLong(name: string, random: Random): string {
  if (/id$/i.test(name)) return identifierOf(random, true);
  if (/(time|date|timestamp|ms|millis)$/i.test(name))
    return String(Date.parse(timeFor(name, random)));
  return String(random.below(1_000_000));
}

function long(text: string | undefined): bigint[] {
  return /^-?\d{1,20}$/.test(text ?? "") ? [BigInt(text!)] : [];
}

/** Values that say nothing. */
const VAGUE = /unspecified|unknown|undefined|invalid|^$/i;

/** States in which things are usable. */
const USABLE = /^(active|ready|running|enabled|done|succeeded|published|ok)$/i;

/** One of an enum's values: its default, else a telling one. */
export function enumOf(
  values: readonly EnumValue[],
  constraints: readonly Constraints[],
  random: Random,
): string {
  const names = values.map(({ value }) => value);
  const given = constraints.find((note) => note.default !== undefined)?.default;
  if (given !== undefined && names.includes(given)) return given;
  const usable = names.find((name) => USABLE.test(name));
  if (usable !== undefined) return usable;
  const telling = values
    .filter(
      ({ value, deprecated }) => deprecated !== true && !VAGUE.test(value),
    )
    .map(({ value }) => value);
  if (telling.length > 0) return random.pick(telling);
  return names[0] ?? "";
}

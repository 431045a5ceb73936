import type { RawSchema } from "../../src/load/raw.js";
import type { Schemas } from "./json-schema.js";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** How values are made. */
export interface Making {
  readonly schemas: Schemas;
  readonly random: () => number;
  /** Share of the declared properties that a value has. */
  readonly density: number;
  /** Share of values that are replaced by something else. */
  readonly noise: number;
}

const GOOD: Readonly<Record<string, readonly string[]>> = {
  int64: ["0", "-5", "9223372036854775807", "-9223372036854775808"],
  uint64: ["0", "18446744073709551615"],
  byte: ["", "AAAA", "AA==", "-_8"],
  date: ["2024-02-29", "1999-12-31"],
  "date-time": ["2024-02-29T12:00:00Z", "2024-01-01T00:00:00.5+01:00"],
  "google-datetime": ["2024-02-29T12:00:00.123456789Z"],
  "google-duration": ["3s", "-1.5s"],
  "google-fieldmask": ["", "a", "a.b,c"],
};

const NOISE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2147483648,
  4294967296,
  "",
  "text",
  "12",
  "9223372036854775808",
  "2024-02-30",
  "2024-02-29T12:00:00",
  "A",
  "1.5",
  "a,",
  "NaN",
  [],
  [null],
  ["a", 1],
  {},
  { a: 1 },
];

/** A value of a schema, but for the noise. */
export function makeValue(raw: RawSchema, making: Making, depth = 0): unknown {
  const { random, noise, schemas } = making;
  if (random() < noise) return pick(NOISE, random);
  if (raw.$ref !== undefined)
    return makeValue(schemas[raw.$ref] ?? { type: "any" }, making, depth + 1);
  const options = raw["x-one-of"];
  if (options !== undefined)
    return makeValue(pick(options, random), making, depth + 1);
  switch (raw.type) {
    case "any":
      return pick(NOISE, random);
    case "object":
      return makeObject(raw, making, depth);
    case "array":
      return makeList(raw, making, depth);
    case "boolean":
      return random() < 0.5;
    case "integer":
      return Math.floor(random() * 100);
    case "number":
      return random();
    default:
      return makeText(raw, random);
  }
}

function makeObject(raw: RawSchema, making: Making, depth: number): unknown {
  const { random, density, noise } = making;
  const value: Record<string, unknown> = {};
  const chance = depth > 6 ? 0 : density;
  for (const [name, schema] of Object.entries(raw.properties ?? {}))
    if (random() < chance) value[name] = makeValue(schema, making, depth + 1);
  const { additionalProperties: rest } = raw;
  if (typeof rest === "object" && random() < chance)
    value["some/key"] = makeValue(rest, making, depth + 1);
  if (random() < noise) value["undeclared"] = 1;
  return value;
}

function makeList(raw: RawSchema, making: Making, depth: number): unknown[] {
  const length = depth > 6 ? 0 : Math.floor(making.random() * 3);
  return Array.from({ length }, () =>
    makeValue(raw.items as RawSchema, making, depth + 1),
  );
}

function makeText(
  { enum: values, format, pattern }: RawSchema,
  random: () => number,
): unknown {
  if (values !== undefined) return pick(values, random);
  if (pattern !== undefined && random() < 0.5) return "a-1";
  return pick(GOOD[format ?? ""] ?? ["text", "naïve", ""], random);
}

/** One of several. */
export function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)]!;
}

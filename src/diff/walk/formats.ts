import type { Value, ValuePair } from "../rule.js";

/** Smallest and largest value of each integer format, keyed by format. */
const RANGES: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** Returns the format of a value; `none` if it has no format. */
export function formatOf({ schema, constraints }: Value): string {
  const format = schema.kind === "scalar" ? schema.format : undefined;
  return format ?? constraints.format ?? "none";
}

/**
 * Compares the formats of two scalars of the same type; returns undefined if
 * the formats are equal. `double`: a number in a body now has a format.
 * `plain`: a number in a body no longer has a format.
 */
export function formatChange(
  pair: ValuePair,
): "narrowed" | "widened" | "changed" | "double" | "plain" | undefined {
  const { old, new: now, where } = pair;
  if (old.schema.kind !== "scalar" || now.schema.kind !== "scalar")
    return undefined;
  const { type } = old.schema;
  const [before, after] = [formatOf(old), formatOf(now)];
  if (type !== now.schema.type || before === after) return undefined;
  if (type === "number" && where !== "parameter") {
    if (before === "none") return "double";
    if (after === "none") return "plain";
  }
  return type === "integer" || type === "string"
    ? compareRanges(rangeOf(before, type), rangeOf(after, type))
    : "changed";
}

type Range = readonly [min: bigint, max: bigint] | "unlimited" | undefined;

/**
 * Returns the range of integers that a format allows; undefined for other
 * formats.
 */
function rangeOf(format: string, type: "integer" | "string"): Range {
  if (Object.hasOwn(RANGES, format)) return RANGES[format];
  return type === "integer" || format === "none" ? "unlimited" : undefined;
}

function compareRanges(
  before: Range,
  after: Range,
): "narrowed" | "widened" | "changed" {
  if (before === undefined || after === undefined) return "changed";
  if (includes(after, before)) return "widened";
  return includes(before, after) ? "narrowed" : "changed";
}

function includes(
  outer: Exclude<Range, undefined>,
  inner: Exclude<Range, undefined>,
): boolean {
  if (outer === "unlimited") return true;
  if (inner === "unlimited") return false;
  return outer[0] <= inner[0] && outer[1] >= inner[1];
}

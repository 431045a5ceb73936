import type { RawSchema } from "../../load/raw.js";
import type { Finding, ValuePair } from "../rule.js";

/** Keywords for lower and upper limits of values. */
const LIMITS: Readonly<Record<string, "lower" | "upper">> = {
  minimum: "lower",
  maximum: "upper",
  minLength: "lower",
  maxLength: "upper",
  minItems: "lower",
  maxItems: "upper",
};

/**
 * Returns findings about limits that now allow fewer values (`narrowed`) or
 * more values (`widened`).
 */
export function limitChanges(
  { old, new: now }: ValuePair,
  change: "narrowed" | "widened",
): Finding[] {
  return Object.entries(LIMITS).flatMap(([keyword, bound]) => {
    const [before, after] = [
      limitOf(old.raw, keyword, bound),
      limitOf(now.raw, keyword, bound),
    ];
    if (before === after) return [];
    const isNarrower = bound === "lower" ? after > before : after < before;
    if (isNarrower !== (change === "narrowed")) return [];
    return [
      {
        text: `${keyword} changed from ${textOf(before)} to ${textOf(after)}`,
        detail: `${keyword} ${textOf(after)}`,
        below: `/${keyword}`,
      },
    ];
  });
}

function limitOf(
  raw: RawSchema,
  keyword: string,
  bound: "lower" | "upper",
): number {
  const value = (raw as Readonly<Record<string, unknown>>)[keyword];
  const isGiven = typeof value === "number" || typeof value === "string";
  const limit = isGiven && value !== "" ? Number(value) : Number.NaN;
  if (!Number.isNaN(limit)) return limit;
  return bound === "lower" ? -Infinity : Infinity;
}

function textOf(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "none";
}

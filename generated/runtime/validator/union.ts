/* eslint-disable */
// biome-ignore-all lint: generated

import { isObject } from "./containers.js";
import type { Check, Run } from "./contract.js";
import { fail } from "./expected.js";
import { report } from "./run.js";

/** Alternative of a union (`x-one-of`). */
export interface Alternative {
  /** Name of the type for messages, such as `array of Part`. */
  readonly name: string;
  /** Types of the alternative's values; absent if values can have any type. */
  readonly types?: readonly string[];
  /** Values of the discriminant that select the alternative. */
  readonly values?: readonly string[];
  readonly check: Check;
}

/**
 * Checks a value that must match at least one of several alternatives. The type
 * of the value and the discriminant select an alternative, whose errors are
 * reported. If they leave more than one, the first alternative without errors
 * applies.
 * @param discriminant property whose value selects an alternative for objects
 */
export function union(
  run: Run,
  value: unknown,
  alternatives: readonly Alternative[],
  discriminant?: string,
): boolean {
  const type = jsonType(value);
  const possible = alternatives.filter(
    ({ types }) => types === undefined || types.includes(type),
  );
  if (possible.length === 1) return possible[0]!.check(value, run);
  if (possible.length === 0) return mismatch(run, "type", alternatives);
  if (
    discriminant !== undefined &&
    isObject(value) &&
    Object.hasOwn(value, discriminant)
  )
    return choose(run, value, possible, discriminant);
  const { probes } = run;
  run.probes ??= new Map();
  try {
    return tryAll(run, value, possible, discriminant);
  } finally {
    run.probes = probes;
  }
}

/** Checks a value with the first alternative that finds no errors. */
function tryAll(
  run: Run,
  value: unknown,
  alternatives: readonly Alternative[],
  discriminant: string | undefined,
): boolean {
  for (const { check } of alternatives) {
    const result = probe(run, value, check);
    if (result === "aborted") return true;
    if (result === "valid") return run.isProbing !== true && check(value, run);
  }
  return discriminant === undefined || run.isPartial
    ? mismatch(run, "union", alternatives)
    : report(run, discriminant, "required", "is missing");
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Checks an object with the alternative that its discriminant selects. */
function choose(
  run: Run,
  value: Record<string, unknown>,
  alternatives: readonly Alternative[],
  discriminant: string,
): boolean {
  const name = value[discriminant];
  if (typeof name !== "string") return fail(run, discriminant, name, "string");
  const found = alternatives.find(({ values }) => values?.includes(name));
  if (found !== undefined) return found.check(value, run);
  if (run.opensEnums) return false;
  const expected = listed(alternatives.flatMap(({ values }) => values ?? []));
  const message = `must be one of ${expected}`;
  return report(run, discriminant, "enum", message, expected);
}

/**
 * Checks a value without reporting its errors. The results for objects and
 * arrays are stored until the outermost union is checked, because the time for
 * nested unions would otherwise grow exponentially with their depth.
 */
function probe(
  run: Run,
  value: unknown,
  check: Check,
): "valid" | "invalid" | "aborted" {
  const { errors, maxErrors, depth, allowsNull, rejectsUnknown } = run;
  const isProbing = run.isProbing === true;
  const results = resultsOf(run, value);
  const known = results?.get(check);
  if (known !== undefined) return known ? "valid" : "invalid";
  run.errors = [];
  run.maxErrors = 1;
  run.isProbing = true;
  try {
    check(value, run);
  } finally {
    run.isProbing = isProbing;
  }
  const [error] = run.errors;
  Object.assign(run, { errors, maxErrors, depth, allowsNull, rejectsUnknown });
  if (error?.code === "too-deep" || error?.code === "too-large") {
    run.errors = [...errors, error];
    return "aborted";
  }
  results?.set(check, error === undefined);
  return error === undefined ? "valid" : "invalid";
}

function resultsOf(run: Run, value: unknown): Map<Check, boolean> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  let results = run.probes?.get(value);
  if (results === undefined) run.probes?.set(value, (results = new Map()));
  return results;
}

function mismatch(
  run: Run,
  code: "type" | "union",
  alternatives: readonly Alternative[],
): boolean {
  const expected = listed(alternatives.map(({ name }) => name));
  return report(run, undefined, code, `must be one of ${expected}`, expected);
}

/** Maximum number of alternatives or values in a message. */
const MAX_LISTED = 20;

function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? " …" : "";
  return names.slice(0, MAX_LISTED).join(", ") + more;
}

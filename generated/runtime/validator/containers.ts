/* eslint-disable */
// biome-ignore-all lint: generated

import { fail, type ExpectedType } from "./expected.js";
import type { Check, Key, Run } from "./contract.js";
import { enter, isAbsent } from "./run.js";

/** Function that returns true if a scalar value is valid. */
export type ScalarTest = (value: unknown) => boolean;

/**
 * Tests whether a value is a JSON object, that is, neither an array nor null.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks the value of a property with the check function of the property's
 * schema.
 */
export function at(run: Run, key: Key, value: unknown, check: Check): boolean {
  if (isAbsent(run, value)) return false;
  if (!enter(run, key)) return true;
  const stop = check(value, run);
  run.depth--;
  return stop;
}

/**
 * Checks an array. Checks each element with the check function of the element
 * schema.
 */
export function list(
  run: Run,
  key: Key,
  value: unknown,
  check: Check,
): boolean {
  if (!Array.isArray(value)) return fail(run, key, value, "array");
  if (key !== undefined && !enter(run, key)) return true;
  const { allowsNull } = run;
  // A PATCH replaces an array completely, so `null` as an element does not
  // clear a property.
  run.allowsNull = false;
  for (let index = 0; index < value.length; index++) {
    if (!enter(run, index) || check(value[index], run)) return true;
    run.depth--;
  }
  run.allowsNull = allowsNull;
  if (key !== undefined) run.depth--;
  return false;
}

/** Checks an array of scalar values. */
export function scalars(
  run: Run,
  key: Key,
  value: unknown,
  test: ScalarTest,
  expected: ExpectedType,
): boolean {
  if (!Array.isArray(value)) return fail(run, key, value, "array");
  for (let index = 0; index < value.length; index++) {
    if (!test(value[index]) && element(run, key, value, index, expected))
      return true;
  }
  run.budget -= value.length;
  return false;
}

function element(
  run: Run,
  key: Key,
  value: readonly unknown[],
  index: number,
  expected: ExpectedType,
): boolean {
  if (key !== undefined && !enter(run, key)) return true;
  if (!enter(run, index)) return true;
  const stop = fail(run, undefined, value[index], expected);
  run.depth -= key === undefined ? 1 : 2;
  return stop;
}

/**
 * Checks a map. Checks each value with the check function of the value schema.
 */
export function map(run: Run, key: Key, value: unknown, check: Check): boolean {
  if (!isObject(value)) return fail(run, key, value, "object");
  if (key !== undefined && !enter(run, key)) return true;
  for (const name in value) if (at(run, name, value[name], check)) return true;
  if (key !== undefined) run.depth--;
  return false;
}

/** Checks a map of scalar values. */
export function scalarMap(
  run: Run,
  key: Key,
  value: unknown,
  test: ScalarTest,
  expected: ExpectedType,
): boolean {
  if (!isObject(value)) return fail(run, key, value, "object");
  if (key !== undefined && !enter(run, key)) return true;
  for (const name in value) {
    const one = value[name];
    if (!test(one) && fail(run, name, one, expected)) return true;
  }
  if (key !== undefined) run.depth--;
  return false;
}

/* eslint-disable */
// biome-ignore-all lint: generated

import { fail } from "./expected.js";
import { isObject } from "./containers.js";
import type { Run } from "./contract.js";
import { report } from "./run.js";

/** Reports a missing property. Returns true if validation must stop. */
export function missing(run: Run, name: string): boolean {
  return !run.isPartial && absent(run, name);
}

/**
 * Reports a missing property that only the service sets. In requests, such a
 * property is not required.
 */
export function missingOutput(run: Run, name: string): boolean {
  return !run.isPartial && !run.isRequest && absent(run, name);
}

/** Reports a missing property if the called method requires it in requests. */
export function requiredBy(
  run: Run,
  name: string,
  ...methods: readonly string[]
): boolean {
  const { method } = run;
  return method !== undefined && methods.includes(method) && absent(run, name);
}

function absent(run: Run, name: string): boolean {
  return report(run, name, "required", "is missing");
}

/**
 * Tests whether a property is missing, that is, undefined or not an own
 * property of the object. Inherited properties such as `toString` do not count.
 */
export function isMissing(
  value: Record<string, unknown>,
  name: string,
): boolean {
  return !Object.hasOwn(value, name) || value[name] === undefined;
}

/**
 * Reports an undeclared property, unless the options allow undeclared
 * properties.
 */
export function undeclared(run: Run, name: string): boolean {
  if (!run.rejectsUnknown) return false;
  return report(run, name, "unknown", "is not a property of this object");
}

/**
 * Returns true if a property that only the service sets must be skipped.
 * Reports the property if the options reject it.
 */
export function readOnly(run: Run, name: string): boolean {
  if (!run.isRequest) return false;
  if (run.rejectsReadOnly)
    report(run, name, "read-only", "must not be set: only the service sets it");
  return true;
}

/** Checks an object whose schema declares no properties. */
export function empty(value: unknown, run: Run): boolean {
  if (!isObject(value)) return fail(run, undefined, value, "object");
  for (const name in value) if (undeclared(run, name)) return true;
  return false;
}

import { fail } from "./expected.js";
import { isObject } from "./containers.js";
import type { Run } from "./contract.js";
import { report } from "./run.js";

/** Notes that a property is missing. */
export function missing(run: Run, name: string): boolean {
  return !run.isPartial && absent(run, name);
}

/** The same for a property that only the service sets: a request lacks it. */
export function missingOutput(run: Run, name: string): boolean {
  return !run.isPartial && !run.isRequest && absent(run, name);
}

/** The same for a property that some methods need in their requests. */
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

/** Whether an object lacks a property, also one that all objects inherit. */
export function isMissing(
  value: Record<string, unknown>,
  name: string,
): boolean {
  return !Object.hasOwn(value, name) || value[name] === undefined;
}

/** Notes a property that the schema does not declare, where that matters. */
export function undeclared(run: Run, name: string): boolean {
  if (!run.rejectsUnknown) return false;
  return report(run, name, "unknown", "is not a property of this object");
}

/** Whether to pass over a property that only the service sets. */
export function readOnly(run: Run, name: string): boolean {
  if (!run.isRequest) return false;
  if (run.rejectsReadOnly)
    report(run, name, "read-only", "is set by the service alone");
  return true;
}

/** An object without properties. */
export function empty(value: unknown, run: Run): boolean {
  if (!isObject(value)) return fail(run, undefined, value, "object");
  for (const name in value) if (undeclared(run, name)) return true;
  return false;
}

/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  Check,
  PatchResult,
  Run,
  ValidationOptions,
  ValidationResult,
  Validator,
} from "./contract.js";
import { abort, endRun, startRun } from "./run.js";

const NONE: ValidationOptions = {};

/** Checks a value. Never throws; takes time in proportion to the value. */
export function validate<T>(
  check: Check,
  value: unknown,
  options: ValidationOptions | undefined,
): ValidationResult<T> {
  return finish(check, value, startRun(options ?? NONE, undefined, false));
}

/** Checks the body of a request to a method. Never throws. */
export function validateRequest<T>(
  check: Check,
  value: unknown,
  method: string,
  options: ValidationOptions | undefined,
): ValidationResult<T> {
  return finish(check, value, startRun(options ?? NONE, method, false));
}

/** Checks the body of a PATCH: nothing is missing, and null clears. Never throws. */
export function validatePatch<T>(
  check: Check,
  value: unknown,
  method: string,
  options: ValidationOptions | undefined,
): PatchResult<T> {
  return finish(check, value, startRun(options ?? NONE, method, true));
}

/** Whether a value passes one of the functions of validators.ts. */
export function isValid<T>(
  validator: Validator<T>,
  value: unknown,
  options?: ValidationOptions,
): value is T {
  return validator(value, { ...options, maxErrors: 1 }).valid;
}

function finish<T>(
  check: Check,
  value: unknown,
  run: Run,
): ValidationResult<T> {
  run.root = value;
  try {
    check(value, run);
  } catch (error) {
    refuse(run, error);
  }
  const { root } = run;
  run.root = undefined;
  const errors = endRun(run);
  return errors.length === 0
    ? { valid: true, value: root as T }
    : { valid: false, errors };
}

/** A getter threw, or `maxDepth` is more than the stack takes. */
function refuse(run: Run, error: unknown): void {
  if (error instanceof RangeError)
    abort(run, undefined, "too-deep", "holds more levels than can be checked");
  else abort(run, undefined, "unreadable", "holds a value that can't be read");
}

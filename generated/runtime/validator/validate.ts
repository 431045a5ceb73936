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

const NO_OPTIONS: ValidationOptions = {};

/** Validates a value in linear time. Never throws. */
export function validate<T>(
  check: Check,
  value: unknown,
  options: ValidationOptions | undefined,
): ValidationResult<T> {
  return finish(
    check,
    value,
    startRun(options ?? NO_OPTIONS, undefined, false),
  );
}

/** Validates the request body of a method. Never throws. */
export function validateRequest<T>(
  check: Check,
  value: unknown,
  method: string,
  options: ValidationOptions | undefined,
): ValidationResult<T> {
  return finish(check, value, startRun(options ?? NO_OPTIONS, method, false));
}

/**
 * Validates a PATCH body, in which properties can be missing and `null` clears
 * a property. Never throws.
 */
export function validatePatch<T>(
  check: Check,
  value: unknown,
  method: string,
  options: ValidationOptions | undefined,
): PatchResult<T> {
  return finish(check, value, startRun(options ?? NO_OPTIONS, method, true));
}

/** Tests whether a value is valid according to a validator function. */
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

/**
 * Reports an error that was thrown during validation. A getter can throw an
 * error, and the stack can overflow if `maxDepth` is too large.
 */
function refuse(run: Run, error: unknown): void {
  if (error instanceof RangeError)
    abort(run, undefined, "too-deep", "is nested too deeply to be checked");
  else
    abort(run, undefined, "unreadable", "contains a value that can't be read");
}

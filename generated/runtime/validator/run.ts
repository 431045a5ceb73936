/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  Key,
  Run,
  ValidationCode,
  ValidationError,
  ValidationOptions,
} from "./contract.js";

/**
 * Maximum number of visited values. It is needed because objects that refer to
 * the same children can expand exponentially.
 */
const MAX_VALUES = 10_000_000;

/**
 * Empty list of errors with which all validations start; it is never modified.
 */
const NO_ERRORS: ValidationError[] = [];

/**
 * State of a finished validation, which the next validation reuses to avoid an
 * allocation.
 */
let idle: Run | undefined;

/** Starts a validation. */
export function startRun(
  options: ValidationOptions,
  method: string | undefined,
  isPatch: boolean,
): Run {
  const run = idle ?? newRun();
  idle = undefined;
  run.isRequest = method !== undefined || options.mode === "request";
  run.method = method ?? options.method;
  run.isPartial = isPatch || options.partial === true;
  run.opensEnums = options.openEnums === true;
  run.rejectsReadOnly = options.readOnlyFields === "reject";
  run.rejectsUnknown = options.unknownFields === "reject";
  run.allowsNull = isPatch;
  run.int64Numbers = options.int64Numbers;
  run.maxErrors = Math.max(1, options.maxErrors ?? 100);
  run.maxDepth = options.maxDepth ?? 100;
  run.budget = MAX_VALUES;
  run.depth = 0;
  return run;
}

/**
 * Ends a validation and returns its errors. The state must not be used
 * afterwards, because the next validation can reuse it.
 */
export function endRun(run: Run): readonly ValidationError[] {
  const { errors } = run;
  if (errors.length > 0) run.errors = NO_ERRORS;
  idle = run;
  return errors;
}

function newRun(): Run {
  return {
    isRequest: false,
    method: undefined,
    isPartial: false,
    opensEnums: false,
    rejectsReadOnly: false,
    rejectsUnknown: false,
    allowsNull: false,
    int64Numbers: undefined,
    root: undefined,
    maxErrors: 1,
    maxDepth: 1,
    budget: 1,
    path: [],
    depth: 0,
    errors: NO_ERRORS,
  };
}

/**
 * Reports an error.
 *
 * @returns true if validation must stop.
 */
export function report(
  run: Run,
  key: Key,
  code: ValidationCode,
  message: string,
  expected?: string,
): boolean {
  const { errors, maxErrors } = run;
  if (errors.length >= maxErrors) return true;
  const pointer = pointerTo(run, key);
  const error: ValidationError =
    expected === undefined
      ? { pointer, code, message }
      : { pointer, code, message, expected };
  if (errors.length > 0) errors.push(error);
  // An array literal needs less memory and time than `push`.
  else run.errors = [error];
  return run.errors.length >= maxErrors;
}

/** Reports an error and stops the validation. */
export function abort(
  run: Run,
  key: Key,
  code: ValidationCode,
  message: string,
): true {
  report(run, key, code, message);
  // With an empty budget, validation also stops if a caller ignores the
  // returned value.
  run.budget = 0;
  return true;
}

/**
 * Moves the current position to a property or an array element.
 *
 * @returns false if validation must stop.
 */
export function enter(run: Run, key: Key): boolean {
  if (run.depth >= run.maxDepth)
    return !abort(
      run,
      key,
      "too-deep",
      `is more than ${run.maxDepth} levels deep`,
    );
  if (--run.budget < 0)
    return !abort(run, key, "too-large", "has too many values");
  run.path[run.depth++] = key!;
  return true;
}

/** Tests whether a value is absent: undefined, or `null` in a PATCH. */
export function isAbsent(run: Run, value: unknown): boolean {
  return value === undefined || (value === null && run.allowsNull);
}

function pointerTo({ path, depth }: Run, key: Key): string {
  if (depth === 0 && key !== undefined) return tokenOf(key);
  let pointer = "";
  for (let level = 0; level < depth; level++) pointer += tokenOf(path[level]!);
  return key === undefined ? pointer : pointer + tokenOf(key);
}

/**
 * Cache of JSON pointer tokens, including their slash. A lookup takes a third
 * of the time of creating a token.
 */
const tokens = new Map<Key, string>();

/**
 * Number of characters that can still be added to the cache. It is limited
 * because an attacker can choose property names.
 */
let tokenBudget = 50_000;

function tokenOf(key: string | number): string {
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const token = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if ((tokenBudget -= token.length) > 0) tokens.set(key, token);
  return token;
}

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
 * Maximum number of values to visit. This limit is needed because an object
 * that is referenced several times is visited each time, so that the number of
 * visits can grow exponentially.
 */
const MAX_VALUES = 10_000_000;

/**
 * Empty list of errors, shared by all validations that have found no errors. It
 * is never modified.
 */
const NO_ERRORS: ValidationError[] = [];

/**
 * State of a finished validation. The next validation reuses it to avoid an
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
 * Ends a validation and returns its errors. The caller must not use `run`
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
  // Creating an array from a literal needs less memory and time than `push`.
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
  // The budget is set to zero so that validation stops even if a caller ignores
  // the returned value.
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

/**
 * Tests whether a value is absent, that is, undefined, or `null` in a PATCH.
 */
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
 * Cache of JSON pointer tokens, keyed by property name. Each token includes the
 * preceding slash. A lookup takes a third of the time of creating a token.
 */
const tokens = new Map<Key, string>();

/**
 * Remaining capacity of the cache in characters. The capacity is limited
 * because attackers can choose property names.
 */
let tokenBudget = 50_000;

function tokenOf(key: string | number): string {
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const token = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if ((tokenBudget -= token.length) > 0) tokens.set(key, token);
  return token;
}

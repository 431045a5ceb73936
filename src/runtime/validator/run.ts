import type {
  ValidationCode,
  ValidationError,
  ValidationOptions,
} from "./types.js";

/** Values after which checking ends: shared ones can unfold without end. */
const MAX_VALUES = 10_000_000;

/** The name or index of a value within another; undefined: where the run is. */
export type Key = string | number | undefined;

/** One validation: what it was asked, where it is, what it found. */
export interface Run {
  readonly isRequest: boolean;
  readonly method: string | undefined;
  readonly isPartial: boolean;
  readonly opensEnums: boolean;
  readonly rejectsReadOnly: boolean;
  rejectsUnknown: boolean;
  /** Whether `null` is a value of any property, as in a PATCH. */
  allowsNull: boolean;
  readonly maxErrors: number;
  readonly maxDepth: number;
  /** Values that may still be entered. */
  budget: number;
  /** Names and indices of the values around; only the first `depth` count. */
  readonly path: (string | number)[];
  depth: number;
  readonly errors: ValidationError[];
}

/**
 * Checks a value where the run is.
 *
 * @returns whether to stop: there are as many errors as were asked for.
 */
export type Check = (value: unknown, run: Run) => boolean;

/** A run that has not begun. */
export function startRun(
  options: ValidationOptions | undefined,
  method?: string,
  isPatch = false,
): Run {
  const given: ValidationOptions = options ?? {};
  return {
    isRequest: method !== undefined || given.mode === "request",
    method: method ?? given.method,
    isPartial: isPatch || given.partial === true,
    opensEnums: given.openEnums === true,
    rejectsReadOnly: given.readOnlyFields === "reject",
    rejectsUnknown: given.unknownFields === "reject",
    allowsNull: isPatch,
    maxErrors: Math.max(1, given.maxErrors ?? 100),
    maxDepth: given.maxDepth ?? 100,
    budget: MAX_VALUES,
    path: [],
    depth: 0,
    errors: [],
  };
}

/** Notes an error; the result of the check that found it. */
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
  errors.push(
    expected === undefined
      ? { pointer, code, message }
      : { pointer, code, message, expected },
  );
  return errors.length >= maxErrors;
}

/** Notes an error and ends the run. */
export function abort(
  run: Run,
  key: Key,
  code: ValidationCode,
  message: string,
): true {
  report(run, key, code, message);
  // Whoever is not told to stop runs out of budget at once.
  run.budget = 0;
  return true;
}

/** Goes down to a property or an element; false where the run has to end. */
export function enter(run: Run, key: Key): boolean {
  if (run.depth >= run.maxDepth)
    return !abort(run, key, "too-deep", `lies below ${run.maxDepth} levels`);
  if (--run.budget < 0)
    return !abort(run, key, "too-large", "has too many values");
  run.path[run.depth++] = key!;
  return true;
}

/** Whether a property counts as missing: undefined, or `null` in a PATCH. */
export function isAbsent(run: Run, value: unknown): boolean {
  return value === undefined || (value === null && run.allowsNull);
}

function pointerTo({ path, depth }: Run, key: Key): string {
  let pointer = "";
  for (let level = 0; level < depth; level++)
    pointer += `/${escapeToken(path[level]!)}`;
  return key === undefined ? pointer : `${pointer}/${escapeToken(key)}`;
}

function escapeToken(token: string | number): string {
  return String(token).replaceAll("~", "~0").replaceAll("/", "~1");
}
